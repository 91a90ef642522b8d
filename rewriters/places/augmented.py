"""What ``x += y`` does, by what stands there alone."""

from __future__ import annotations

import ast

from rewriters.places.calls import may_hold_tensors


def keeps_gradient(event: ast.AST) -> bool:
    """``x += 1``: what flows back stays as it is."""
    if not isinstance(event, ast.AugAssign) or not isinstance(event.op, (ast.Add, ast.Sub)):
        return False
    return not may_hold_tensors(getattr(event.value, "v", None))


def adds_list(event: ast.AST) -> bool:
    """``x += [y]``: x is a list."""
    return isinstance(event, ast.AugAssign) and isinstance(event.value, (ast.List, ast.ListComp))
