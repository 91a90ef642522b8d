"""Calls of layers that change what they are given, where only what makes the layer says so."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from rewriters.infer.values import Instance, ModuleInfo, Ref
from rewriters.places.calls import asks_in_place
from rewriters.text.tree import last_name


class AskedInPlace:
    """Of a project's files."""

    def __init__(self, modules: Iterable[ModuleInfo]) -> None:
        self.modules = modules

    def asked(self, event: ast.AST, surely: bool = False) -> bool:
        """Whether the layer that is called changes what it is given, by what makes it or is stored under its name;
        surely: whether it does so whatever it is.
        """
        called = event.func if isinstance(event, ast.Call) else None
        layer = getattr(called, "v", None)
        if called is None or not isinstance(layer, Instance):
            return False
        if isinstance(called, ast.Call):
            return asks_in_place(called, layer.name, surely)
        stored = self.stored.get(last_name(called))
        if surely:
            return bool(stored) and all(asks_in_place(call, layer.name, True) for call in stored or ())
        if stored is None:  # one of several: it may be any that is made
            return layer.name in self.made
        return any(asks_in_place(call, layer.name) for call in stored)

    @cached_property
    def stored(self) -> dict[str, list[ast.Call]]:
        """Calls whose results are stored, by the name that they are stored under; of these, those with arguments."""
        found: dict[str, list[ast.Call]] = {}
        for node in (node for module in self.modules for node in module.nodes.of(ast.Assign)):
            if isinstance(node.value, ast.Call):
                given = [node.value] if node.value.args or node.value.keywords else []
                for name in {last_name(target) for target in node.targets} - {""}:
                    found.setdefault(name, []).extend(given)
        return found

    @cached_property
    def made(self) -> frozenset[str]:
        """Torch's layers, by name, of which one is made that changes what it is given."""
        calls = (call for module in self.modules for call in module.nodes.of(ast.Call) if call.args or call.keywords)
        made = ((call, getattr(call.func, "v", None)) for call in calls)
        return frozenset(
            layer.name
            for call, layer in made
            if isinstance(layer, Ref) and layer.name.startswith("torch.nn.") and asks_in_place(call, layer.name)
        )
