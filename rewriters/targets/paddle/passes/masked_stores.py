"""Stores by a mask, ``x[mask] = w``, ``x[mask] *= 2``: of a value of one element Paddle 3.3.1 tells no graph.

So a mask that holds once ends the gradients of what is stored, and of what it was computed of. And stores of a number
at places that may be none at all (``x[nonzero(m)] = 0``), which Paddle refuses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import (
    BOOL,
    BOOLEAN,
    COMPLEX,
    FLOATING,
    INTEGRAL,
    NUMPY,
    Items,
    ModuleInfo,
    Plain,
    Series,
    Tensor,
    Unknown,
)
from rewriters.places.rowless import Rowless
from rewriters.targets.paddle.passes.changed_leaves import unrecorded

LIST = Plain("list")
MASKED, ROWS = "torch.Tensor.__setitem__:masked", "torch.Tensor.__setitem__:rows"


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


def rowless_stores(module: ModuleInfo) -> dict[ast.AST, str]:
    """Subscripts under which one number is stored at places that may be none."""
    found: dict[ast.AST, str] = {}
    rowless = Rowless(module)
    for target, value in stores(module):
        stored = getattr(value, "v", None)
        is_one = isinstance(stored, Plain) or (isinstance(stored, Tensor) and stored.ndim == 0)
        if not is_one or not isinstance(getattr(target.value, "v", None), Tensor):
            continue
        parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        if any(are_places(part) and (rowless.picks(part) or rowless.may_be(part)) for part in parts):
            found[target] = ROWS
    return found


def are_places(index: ast.expr) -> bool:
    value = getattr(index, "v", None)
    return isinstance(value, Tensor) and value.kinds == INTEGRAL and value.ndim != 0


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
