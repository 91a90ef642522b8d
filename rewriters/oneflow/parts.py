"""Whether a value is part of another tensor, by what a file says of it."""

from __future__ import annotations

import ast
from typing import Any

from rewriters.tree import walk
from rewriters.values import Tensor

PARTS = {"narrow", "select", "t", "transpose", "permute", "diagonal", "unbind", "split", "chunk", "expand"}
LIKE = {"view", "view_as", "reshape", "reshape_as", "flatten", "squeeze", "unsqueeze", "detach", "data"}


def is_part_of(module: Any, node: ast.expr, depth: int) -> bool:
    """Whether a value is part of another tensor."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        kinds = [getattr(part, "v", None) for part in parts]
        whole = getattr(node.value, "v", None)
        if isinstance(whole, Tensor):
            return not any(isinstance(kind, Tensor) for kind in kinds)
        return isinstance(node.value, ast.Call) and is_part_of(module, node.value, depth)
    if isinstance(node, ast.Attribute):
        return node.attr in {"T", "mT"} or (node.attr in LIKE and is_part_of(module, node.value, depth))
    if isinstance(node, ast.Call):
        name = called_name(node)
        inner = node.func.value if isinstance(node.func, ast.Attribute) else None
        return name in PARTS or (name in LIKE and inner is not None and is_part_of(module, inner, depth))
    if isinstance(node, ast.Name) and depth < 3:
        bound = [(target, one.value) for one in module.nodes.of(ast.Assign) for target in one.targets]
        bound += [(one.target, one.iter) for one in module.nodes.of(ast.For)]
        return any(
            isinstance(part, ast.Name) and part.id == node.id and is_part_of(module, value, depth + 1)
            for target, value in bound
            for part in walk(target)
        )
    return False


def called_name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
