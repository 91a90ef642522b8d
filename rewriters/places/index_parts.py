"""The parts of an index, written out or held by a name: ``x[:, rows]``, ``at = (slice(None), rows); x[at]``."""

from __future__ import annotations

import ast

from rewriters.infer.values import NONE, OBJECT, UNKNOWN, Bottom, Items, Plain, Series, Tensor, Unknown, Value

SLICE, ELLIPSIS = Plain("slice"), Plain("ellipsis")
# What leaves more than one element of an axis, or of several.
WHOLE = (SLICE, ELLIPSIS)
PARTS = (*WHOLE, NONE)


def index_parts(index: ast.expr) -> list[Value]:
    """What each part may be; of a tuple of unknown length two stand for any number."""
    if not isinstance(index, ast.Tuple):
        value = part_of(index)
        return spread(value) if is_several(value) else [value]
    found: list[Value] = []
    for part in index.elts:
        found += spread(part_of(part.value)) if isinstance(part, ast.Starred) else [part_of(part)]
    return found


def part_of(node: ast.expr) -> Value:
    if isinstance(node, ast.Slice):
        return SLICE
    if isinstance(node, ast.Constant) and node.value in (None, ...):
        return NONE if node.value is None else ELLIPSIS
    found: Value = getattr(node, "v", UNKNOWN)
    return found


def spread(value: Value) -> list[Value]:
    """The parts that a tuple holds."""
    if isinstance(value, Items):
        return [*value.values]
    return [value.element if isinstance(value, Series) else UNKNOWN] * 2


def is_written_out(index: ast.expr) -> bool:
    """Whether the parts stand in the index themselves."""
    if isinstance(index, ast.Tuple):
        return not any(isinstance(part, ast.Starred) for part in index.elts)
    return isinstance(index, ast.List) or not is_several(part_of(index))


def is_several(index: Value) -> bool:
    """Whether it is several parts of an index: a tuple, or a list of more than numbers and truth values."""
    if not isinstance(index, (Items, Series)) or index.kind not in {"tuple", "list"}:
        return False
    held = index.values if isinstance(index, Items) else (index.element,)
    return index.kind == "tuple" or any(isinstance(one, (Items, Series, Tensor)) or one in PARTS for one in held)


def is_open(part: Value) -> bool:
    """Whether a part may be anything."""
    return isinstance(part, (Unknown, Bottom)) or part == OBJECT


def surely_picks(part: Value) -> bool:
    """Whether a part is a list or a tensor with axes, for sure: what comes out has memory of its own."""
    return part.ndim not in (None, 0) if isinstance(part, Tensor) else isinstance(part, (Items, Series))
