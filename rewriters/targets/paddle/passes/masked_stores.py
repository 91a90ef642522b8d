"""Stores by a mask, ``x[mask] = w``, ``x[mask] *= 2``: of a value of one element Paddle 3.3.1 tells no graph.

So a mask that holds once ends the gradients of what is stored, and of what it was computed of.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import (
    BOOL,
    BOOLEAN,
    COMPLEX,
    FLOATING,
    NUMPY,
    Items,
    ModuleInfo,
    Plain,
    Series,
    Tensor,
    Unknown,
)
from rewriters.targets.paddle.passes.changed_leaves import unrecorded

LIST = Plain("list")
MASKED = "torch.Tensor.__setitem__:masked"


def masked_stores(module: ModuleInfo) -> dict[ast.AST, str]:
    """Such subscripts, where a gradient may flow."""
    found: dict[ast.AST, str] = {}
    for target, value in stores(module):
        changed = getattr(target.value, "v", None)
        graded = isinstance(changed, Tensor) and changed.kinds & (FLOATING | COMPLEX)
        number = value is not None and isinstance(getattr(value, "v", None), Plain)
        if graded and not number and may_be_mask(target.slice) and not unrecorded(target, module.nodes.parents):
            found[target] = MASKED
    return found


def stores(module: ModuleInfo) -> Iterator[tuple[ast.Subscript, ast.expr | None]]:
    """Subscripts that are stored to, with what is stored; None for what the operator of a change makes."""
    for node in module.nodes.of(ast.Assign):
        yield from ((target, node.value) for target in node.targets if isinstance(target, ast.Subscript))
    for node in module.nodes.of(ast.AugAssign):
        if isinstance(node.target, ast.Subscript):
            yield node.target, None


def may_be_mask(index: ast.expr) -> bool:
    value = getattr(index, "v", None)
    if isinstance(value, Tensor):
        return bool(value.kinds & BOOLEAN)
    if isinstance(value, (Items, Series)):
        inner = value.values if isinstance(value, Items) else (value.element,)
        return value.kind == "list" and all(one == BOOL for one in inner)
    if value in (NUMPY, LIST):
        return True
    return isinstance(value, Unknown) and not isinstance(index, (ast.Slice, ast.Tuple))
