"""Expressions that give the memory of a tensor in torch: ``x.detach()``, ``x.data``, ``x[0]``."""

from __future__ import annotations

import ast

from rewriters.infer.values import INT
from rewriters.regions.tracing import value_of
from rewriters.torch.effects import effects_of


def is_sharing(node: ast.expr) -> bool:
    """``x.detach()``, ``x.data``, ``x[0]``: whether it gives the memory of what stands before it in torch, or may."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return all(isinstance(part, ast.Slice) or is_place(part) for part in parts)
    node = node.func if isinstance(node, ast.Call) else node
    schema = effects_of(f"torch.Tensor.{node.attr}") if isinstance(node, ast.Attribute) else None
    return schema is not None and "self" in schema.aliases and not schema.writes


def is_place(part: ast.expr) -> bool:
    """Whether a part of an index is a number, ``None`` or ``...``: it copies nothing."""
    part = part.operand if isinstance(part, ast.UnaryOp) else part
    if isinstance(part, ast.Constant):
        return not isinstance(part.value, bool)
    return value_of(part) == INT


def below(node: ast.expr) -> ast.expr:
    node = node.func if isinstance(node, ast.Call) else node
    assert isinstance(node, (ast.Attribute, ast.Subscript))
    return node.value
