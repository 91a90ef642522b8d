"""Layers of torch's that a file makes, which are written by a special rule."""

from __future__ import annotations

import ast
from collections.abc import Container

from rewriters.infer.values import ModuleInfo, Ref


def made_layers(module: ModuleInfo, names: Container[str], special: str) -> dict[ast.AST, str]:
    """The calls that make one of these classes -> the key of the special rule."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        value = getattr(node.func, "v", None)
        if isinstance(value, Ref) and value.name in names:
            found[node] = f"{value.name}:{special}"
    return found
