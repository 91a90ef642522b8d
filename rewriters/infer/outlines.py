"""Files that were read in outline, and are read whole."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from rewriters.infer.exchange import DEFINING
from rewriters.infer.summaries import Summaries
from rewriters.infer.values import ClassInfo, FunctionInfo, ModuleInfo
from rewriters.text.tree import Nodes


class Completed:
    """What is known of functions and classes goes over to the same ones in whole trees."""

    def __init__(self, project: Summaries, modules: Iterable[ModuleInfo]) -> None:
        self.project = project
        # In their order, which stays.
        self.functions = list(project.functions.values())
        self.classes = list(project.classes.items())
        self.of_file: dict[ModuleInfo, list[FunctionInfo]] = defaultdict(list)
        for info in self.functions:
            self.of_file[info.module].append(info)
        self.places: dict[ModuleInfo, list[int]] = defaultdict(list)
        for place, (_, one) in enumerate(self.classes):
            self.places[one.module].append(place)
        project.functions.clear()
        project.classes.clear()

    def take(self, module: ModuleInfo, tree: ast.Module, nodes: Nodes) -> None:
        """The file's whole tree in place of the outline."""
        moved = {old: new for kind in DEFINING for old, new in zip(module.nodes.of(kind), nodes.of(kind), strict=True)}
        for info in self.of_file[module]:
            node: Any = moved[info.node]
            if "tensors" in vars(info.node):
                node.tensors = vars(info.node)["tensors"]
            info.node = node
        for place in self.places[module]:
            self.classes[place] = self.moved_class(module, nodes, moved, *self.classes[place])
        for found in module.nodes.by_class.values():
            for node in found:
                if node is not module.tree:
                    del node.parent  # what leads to itself would stay
        module.tree, module.nodes, module.dicts = tree, nodes, None

    @staticmethod
    def moved_class(
        module: ModuleInfo, nodes: Nodes, moved: dict[ast.AST, ast.AST], node: ast.AST, info: ClassInfo
    ) -> tuple[ast.AST, ClassInfo]:
        if isinstance(node, ast.Call):  # a named tuple's: its class is made up
            return nodes.of(ast.Call)[module.nodes.of(ast.Call).index(node)], info
        own: Any = moved[node]
        info.node = own
        return own, info

    def done(self) -> None:
        self.project.functions.update({info.node: info for info in self.functions})
        self.project.classes.update(self.classes)
