"""What a call changes in place: the receiver of a method, the first argument of one of torch's functions."""

from __future__ import annotations

import ast
from typing import TypeGuard

from rewriters.infer.values import FunctionOf, Ref, Tensor
from rewriters.text.tree import called_name, is_in_place


def is_change(node: ast.AST | None) -> TypeGuard[ast.Call]:
    """``x.add_(1)``, ``torch.relu_(x)``"""
    if not isinstance(node, ast.Call) or changed_in(node) is None:
        return False
    return is_in_place(called_name(node)) and isinstance(getattr(node, "v", None), Tensor)


def changed_in(call: ast.Call) -> ast.expr | None:
    """What a method or a function changes: ``x`` of ``x.add_(1)`` and of ``torch.relu_(x)``."""
    called = getattr(call.func, "v", None)
    if isinstance(called, Ref):
        return call.args[0] if call.args else None
    return call.func.value if isinstance(call.func, ast.Attribute) and not isinstance(called, FunctionOf) else None


def changed_by(node: ast.expr) -> ast.expr:
    """``x`` of ``x.mul_(2).add_(1)``"""
    while is_change(node) and (inner := changed_in(node)) is not None:
        node = inner
    return node
