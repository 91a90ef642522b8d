"""Which transposition an expression is, as far as it says so."""

from __future__ import annotations

import ast
from typing import Any

from rewriters.infer.values import Ref
from rewriters.text.tree import called_name

# What the same is of a matrix; ``x.t()`` is of nothing else.
OF_MATRICES = ("exchanged", "reversed", frozenset({0, 1}), frozenset({-2, -1}))


def after(turns: tuple[object, ...], by: object) -> tuple[object, ...]:
    """Transpositions after one more; twice the same is none."""
    last = turns[-1] if turns else None
    if isinstance(by, tuple) and isinstance(last, tuple) and len(by) == len(last):
        axes = tuple(last[place] for place in by)
        return turns[:-1] if axes == tuple(sorted(axes)) else (*turns[:-1], axes)
    again = last == by or (last in OF_MATRICES and by in OF_MATRICES and "exchanged" in (last, by))
    return turns[:-1] if turns and again else (*turns, by)


def turning(node: ast.Call | ast.Attribute, value: Any) -> object:
    """Which transposition it is: the axes in their new order, or those that are exchanged."""
    name = called_name(node) if isinstance(node, ast.Call) else node.attr
    given = list(node.args) if isinstance(node, ast.Call) else []
    if isinstance(node, ast.Call) and isinstance(getattr(node.func, "v", None), Ref):
        given = given[1:]
    if len(given) == 1 and isinstance(given[0], (ast.Tuple, ast.List)):
        given = given[0].elts
    ndim = getattr(value, "ndim", None)
    if ndim == 2 or name == "t":
        return "exchanged"  # there is but one
    axes = [number_of(one) for one in given]
    if name == "permute" and axes and None not in axes:
        return tuple(axis % len(axes) for axis in axes if axis is not None)
    if name in {"mT", "adjoint"}:
        axes = [-2, -1]
    if len(axes) == 2 and None not in axes:
        return frozenset(axis % ndim if ndim else axis for axis in axes if axis is not None)
    return ast.unparse(node.func if isinstance(node, ast.Call) else node) if name not in {"T", "H"} else "reversed"


def number_of(node: ast.expr) -> int | None:
    """A literal number."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = number_of(node.operand)
        return None if found is None else -found
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def is_quarter_turn(node: ast.Call) -> bool:
    """``x.rot90()``, which torch makes of a transposition; of two turns it is none."""
    given = node.args[isinstance(getattr(node.func, "v", None), Ref) :]
    given += [word.value for word in node.keywords if word.arg == "k"]
    turns = number_of(given[0]) if given else 1
    return called_name(node) == "rot90" and (turns is None or turns % 2 == 1)
