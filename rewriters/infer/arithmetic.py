"""What operators give."""

from __future__ import annotations

import ast

from rewriters.infer import dtypes
from rewriters.infer.either import ARRAYS, members
from rewriters.infer.joining import element, gives_tensor, hinted_kinds, join
from rewriters.infer.values import (
    BOOL,
    BOTTOM,
    FIGURES,
    FLOAT,
    HOLDERS,
    INT,
    LOOKED_UP,
    MAYBE,
    NAME,
    NUMBER,
    NUMERIC,
    NUMPY,
    NUMPY_AT_TIMES,
    OBJECT,
    OF_NUMPY,
    OPAQUE,
    OR_ELSE,
    STR,
    TYPED,
    UNKNOWN,
    Bottom,
    Either,
    Items,
    Plain,
    Series,
    Tensor,
    Unknown,
    Value,
)


def binary(left: Value, right: Value, op: ast.operator) -> Value:
    """``left op right``: a tensor absorbs whatever stands on the other side."""
    if isinstance(left, Either) or isinstance(right, Either):
        found: Value = BOTTOM
        for one in members(left):
            for other in members(right):
                found = join(found, binary(one, other, op))
        return found
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return dtypes.operated(left, right, op)
    if isinstance(left, Bottom) or isinstance(right, Bottom):
        return BOTTOM
    if isinstance(left, Plain) and isinstance(right, Plain):
        kinds = {left.kind, right.kind}
        if kinds <= NUMERIC:
            return number(kinds, op)
        if kinds <= NUMERIC | {"figures"}:
            return FLOAT if isinstance(op, ast.Div) else FIGURES
        if kinds == {"str", "name"} or left == right == NAME:
            return STR
        if left == right and left.kind in {"str", "bytes", "complex"}:
            return left
        if isinstance(op, ast.Mult) and kinds == {"str", "int"}:
            return STR
        if NUMPY_AT_TIMES in (left, right) and NUMPY not in (left, right):
            return NUMPY_AT_TIMES
        return NUMPY if NUMPY in (left, right) else OBJECT if kinds.isdisjoint(HOLDERS) else OPAQUE
    if (left in ARRAYS and is_of_numbers(right)) or (right in ARRAYS and is_of_numbers(left)):
        return OBJECT  # an array, or the list again and again
    tensor, low = gives_tensor(left) or gives_tensor(right), hinted_kinds((left, right)) & ~(LOOKED_UP | TYPED)
    if not all(isinstance(side, Plain) or hinted_kinds((side,)) & OF_NUMPY for side in (left, right)):
        low &= ~(OF_NUMPY | OR_ELSE)  # of numpy's number it is what the other side makes of it
    if isinstance(op, ast.Div) or FLOAT in (left, right):
        low &= OF_NUMPY | OR_ELSE
    return Unknown(tensor, low) if low else MAYBE if tensor else UNKNOWN


def is_of_numbers(value: Value) -> bool:
    """Whether it is a list or a tuple of nothing but numbers."""
    return isinstance(value, (Items, Series)) and isinstance(each := element(value), Plain) and each.kind in NUMERIC


def number(kinds: set[str], op: ast.operator) -> Plain:
    """What an operator gives of Python's numbers."""
    if isinstance(op, ast.Div):
        return FLOAT
    if isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)) and kinds == {"bool"}:
        return BOOL
    if isinstance(op, ast.Pow) or "number" in kinds:
        return NUMBER
    return FLOAT if "float" in kinds else INT
