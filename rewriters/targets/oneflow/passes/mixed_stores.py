"""Stores by slices or numbers beside places, ``x[:, rows] = y``, or by a new axis: OneFlow tells no graph of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import (
    BOOL,
    BOOLEAN,
    COMPLEX,
    FLOATING,
    NONE,
    NUMPY,
    Items,
    ModuleInfo,
    Plain,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.places.index_parts import index_parts, is_written_out
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
    parts = index_parts(target.slice)
    if not is_written_out(target.slice):
        return NONE in parts or any(map(is_truth, parts)) or any(map(is_places, parts))
    listed = isinstance(target.slice, ast.Tuple) or (isinstance(target.slice, ast.List) and len(parts) > 1)
    written = target.slice.elts if listed else [target.slice]  # type: ignore[attr-defined]
    while len(parts) > 1 and is_all(written[len(parts) - 1]):
        parts.pop()  # as if it were not there
    places = [is_places(part) for part in parts]
    whole = [part == NONE or is_truth(part) for part in parts]  # a truth value is as good as a new axis
    return any(whole) or (any(places) and not all(places))


def is_truth(part: Value) -> bool:
    """Whether a part of an index is one truth value."""
    return part == BOOL or (isinstance(part, Tensor) and part.ndim == 0 and part.kinds == BOOLEAN)


def is_all(part: ast.expr) -> bool:
    """``:`` and ``...``."""
    whole = isinstance(part, ast.Slice) and part.lower is part.upper is part.step is None
    return whole or (isinstance(part, ast.Constant) and part.value is ...)


def is_places(part: Value) -> bool:
    """Whether a part of an index is, or may be, a tensor with axes, a list or an array of places or truth values."""
    if isinstance(part, Tensor):
        return part.ndim != 0
    if isinstance(part, (Items, Series)):
        inner = part.values if isinstance(part, Items) else (part.element,)
        return part.kind in {"list", "range"} and all(isinstance(one, Plain) for one in inner)
    return isinstance(part, Unknown) or part in (NUMPY, LIST)
