"""Stores by slices or numbers beside places, ``x[:, rows] = y``, or by a new axis: OneFlow tells no graph of them."""

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
from rewriters.rewrite.resolving import value_at
from rewriters.targets.oneflow.passes.strided import Leaves

LIST = Plain("list")
KEY = "torch.Tensor.__setitem__:mixed"


def keys(module: ModuleInfo, without_gradients: set[ast.AST]) -> dict[ast.AST, str]:
    """Such subscripts that an assignment stores to, where a gradient may flow.

    without_gradients: what stands in blocks that record none.
    """
    stores = [(target, value) for target, value in assigned(module) if target not in without_gradients]
    stores = [(target, value) for target, value in stores if is_mixed(target)]
    if not stores:
        return {}
    leaves = Leaves(module)
    return {
        target: KEY
        for target, value in stores
        if not (isinstance(value_at(value), Plain) and leaves.plain(target.value))
    }


def assigned(module: ModuleInfo) -> Iterator[tuple[ast.Subscript, ast.expr]]:
    for node in module.nodes.of(ast.Assign):
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            continue
        changed = value_at(target.value)
        if isinstance(changed, Tensor) and changed.kinds & (FLOATING | COMPLEX):  # no others have a gradient
            yield target, node.value


def is_mixed(target: ast.Subscript) -> bool:
    parts = [*target.slice.elts] if isinstance(target.slice, ast.Tuple) else [target.slice]
    while len(parts) > 1 and is_all(parts[-1]):
        parts.pop()  # as if it were not there
    places = [is_places(part) for part in parts]
    anew = any(isinstance(part, ast.Constant) and part.value is None for part in parts)
    whole = [is_truth(part) for part in parts]  # as good as a new axis
    return anew or any(whole) or (any(places) and not all(places))


def is_truth(part: ast.expr) -> bool:
    """Whether a part of an index is one truth value."""
    value = value_at(part)
    return value == BOOL or (isinstance(value, Tensor) and value.ndim == 0 and value.kinds == BOOLEAN)


def is_all(part: ast.expr) -> bool:
    """``:`` and ``...``."""
    whole = isinstance(part, ast.Slice) and part.lower is part.upper is part.step is None
    return whole or (isinstance(part, ast.Constant) and part.value is ...)


def is_places(part: ast.expr) -> bool:
    """Whether a part of an index is, or may be, a tensor with axes, a list or an array of places or truth values."""
    if isinstance(part, ast.Slice):
        return False
    value = value_at(part)
    if isinstance(value, Tensor):
        return value.ndim != 0
    if isinstance(value, (Items, Series)):
        inner = value.values if isinstance(value, Items) else (value.element,)
        return value.kind in {"list", "range"} and all(isinstance(one, Plain) for one in inner)
    return isinstance(value, Unknown) or value in (NUMPY, LIST)
