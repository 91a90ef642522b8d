"""The parts of an index, written out or held by a name: ``x[:, rows]``, ``at = (slice(None), rows); x[at]``."""

from __future__ import annotations

import ast
from typing import NamedTuple

from rewriters.infer.values import (
    BOOL,
    BOOLEAN,
    NONE,
    NUMPY,
    OBJECT,
    UNKNOWN,
    Bottom,
    External,
    Items,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.text.tree import walk
from rewriters.torch.table import entry

# Parts of an index that are sure to pick elements, beside lists and tensors with axes.
PICKING = (BOOL, Plain("ndarray"), Plain("list"))
SLICE, ELLIPSIS = Plain("slice"), Plain("ellipsis")
# What leaves more than one element of an axis, or of several.
WHOLE = (SLICE, ELLIPSIS)
PARTS = (*WHOLE, NONE)
# Methods of tensors, and of others by that name, that give several parts.
GIVING_SEVERAL = {"tolist", "nonzero", "where", "split", "chunk", "unbind", "size", "shape", "index", "get"}
# Functions and methods that take or store an item, and how many they are given beside what it is an item of.
BY_NAME = {"getitem": 1, "setitem": 2}


class ItemCalled(NamedTuple):
    """An item that is asked for, or stored, by a call: what it is an item of, the index, and what is stored."""

    owner: ast.expr
    place: ast.expr
    value: ast.expr | None

    @property
    def given(self) -> list[ast.expr]:
        return [self.owner, self.place, *([self.value] if self.value is not None else [])]


def item_called(node: ast.Call) -> ItemCalled | None:
    """``x.__getitem__(at)``, ``operator.getitem(x, at)``, ``torch.Tensor.__setitem__(x, at, y)``."""
    func, called = node.func, getattr(node.func, "v", None)
    if isinstance(called, (External, Ref)):
        module, _, name = called.name.rpartition(".")
        given = [*node.args] if module in {"operator", "_operator", "torch.Tensor"} else []
    else:
        name = func.attr if isinstance(func, ast.Attribute) and func.attr[:2] == func.attr[-2:] == "__" else ""
        given = [func.value, *node.args] if isinstance(func, ast.Attribute) else []
    count = BY_NAME.get(name.strip("_"), 0)
    if not count or node.keywords or len(given) != count + 1 or any(isinstance(one, ast.Starred) for one in given):
        return None
    return ItemCalled(given[0], given[1], given[2] if count > 1 else None)


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
    if not isinstance(index, (Items, Series)) or index.kind not in {"tuple", "list", "sequence"}:
        return False
    held = index.values if isinstance(index, Items) else (index.element,)
    if index.kind == "sequence" and any(map(is_open, held)):
        return True
    return index.kind == "tuple" or any(isinstance(one, (Items, Series, Tensor)) or one in PARTS for one in held)


def is_reckoned(index: ast.expr) -> bool:
    """Whether an index is made by operators or a tensor's method, is reckoned or compared with where it is used, or
    called a mask: neither tuples nor lists of several parts are.
    """
    if isinstance(index, ast.Name):
        return index.id.endswith("mask")
    if isinstance(index, ast.Call):
        name = index.func.attr if isinstance(index.func, ast.Attribute) else ""
        return entry(f"torch.Tensor.{name}") is not None and name not in GIVING_SEVERAL
    return isinstance(index, (ast.UnaryOp, ast.Compare)) or is_difference(index)


def reckoned_names(scope: ast.AST) -> set[str]:
    """Names that a function, or a file, compares by size, subtracts and the like."""
    found: set[str] = set()
    for node in walk(scope):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.BinOp) and is_difference(node):
            parts = [node.left, node.right]
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            parts = [node.operand]
        elif isinstance(node, ast.AugAssign) and not isinstance(node.op, (ast.Add, ast.Mult)):
            parts = [node.target]
        found |= {part.id for part in parts if isinstance(part, ast.Name)}
    return found


def is_difference(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.Add, ast.Mult))


def is_open(part: Value) -> bool:
    """Whether a part may be anything."""
    return isinstance(part, (Unknown, Bottom)) or part == OBJECT


def surely_picks(part: Value) -> bool:
    """Whether a part is a list or a tensor with axes, for sure: what comes out has memory of its own."""
    return part.ndim not in (None, 0) if isinstance(part, Tensor) else isinstance(part, (Items, Series))


def is_copied(index: ast.expr) -> bool | None:
    """Whether an index surely picks elements, by a list, an array, a mask or a tensor with axes; None where it may."""
    parts = index_parts(index)
    if any(surely_picks(part) or part in PICKING or getattr(part, "kinds", 0) == BOOLEAN for part in parts):
        return True
    may_pick = any(part == NUMPY or (isinstance(part, Tensor) and part.ndim is None) for part in parts)
    return None if may_pick else False
