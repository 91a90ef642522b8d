"""Tensors that torch's modules hold as plain attributes, and Paddle's take for buffers.

Mostly that makes no difference. It does where the class has something else under that name, which is then found first;
where the object holds something else in turn, which Paddle refuses; and where buffers are gone through. There the
store goes around the layer's own.
"""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import ClassInfo, Instance, Items, Mapping, ModuleInfo, ObjectOf, Plain, Ref, Series, Tensor
from rewriters.targets.paddle.passes.weight_makers import is_unknown, value_of

KEY = "torch.nn.Module:attribute"
PARAMETERS = {"torch.nn.Parameter", "torch.nn.Buffer"}
OTHERS = (Items, Series, Mapping, Instance)


class Plains:
    """names: attributes of a project's modules of which the tensors are to be stored as torch does."""

    def __init__(self, project: Project) -> None:
        self.classes = {info.node: info for info in project.classes.values() if info.is_module}
        tensors: set[str] = set()
        others: set[str] = set()
        kept: set[str] = set()
        looks = False
        for module in project.modules.values():
            for node in module.nodes.of(ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Attribute) and self.may_be_own(target.value):
                        self.sort(target.attr, node.value, tensors, others, kept)
            for node in module.nodes.of(ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                if name in {"register_buffer", "register_parameter"} and node.args:
                    kept.add(str(getattr(node.args[0], "value", "")))
                looks |= name in {"buffers", "named_buffers"}
        in_class = {name for info in self.classes.values() for name in names_in_body(info)}
        self.names = (tensors & (in_class | others | (tensors if looks else set()))) - kept

    def may_be_own(self, node: ast.expr) -> bool:
        value = value_of(node)
        return isinstance(value, ObjectOf) and value.info.node in self.classes

    def sort(self, name: str, value: ast.expr, tensors: set[str], others: set[str], kept: set[str]) -> None:
        found = value_of(value)
        if isinstance(value, ast.Call) and isinstance(made := value_of(value.func), Ref) and made.name in PARAMETERS:
            kept.add(name)
        elif isinstance(found, Tensor):
            tensors.add(name)
        elif isinstance(found, OTHERS) or (isinstance(found, Plain) and found.kind != "None"):
            others.add(name)

    def keys(self, module: ModuleInfo) -> dict[ast.AST, str]:
        found: dict[ast.AST, str] = {}
        for node in module.nodes.of(ast.Assign) if self.names else ():
            target = node.targets[0]
            is_named = len(node.targets) == 1 and isinstance(target, ast.Attribute) and target.attr in self.names
            if is_named and (self.may_be_own(target.value) or is_unknown(value_of(target.value))):
                found[target] = KEY
        return found


def names_in_body(info: ClassInfo) -> set[str]:
    """What a class has under a name of its own."""
    found = set()
    for node in info.node.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


_of_project: WeakKeyDictionary[Any, Plains] = WeakKeyDictionary()


def plains_of(project: Project) -> Plains:
    """The decisions for a project, made once."""
    if project not in _of_project:
        _of_project[project] = Plains(project)
    return _of_project[project]
