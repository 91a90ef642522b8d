"""Indices that Paddle 3.3.1 gets wrong where the tensor is a strided view, and which tensors may be one.

``x.swapaxes(0, 1)[:, index]`` takes the wrong elements, and a store by index through a view writes over others, or past
the memory. ``x[None, index]`` puts the new axis elsewhere, whatever x is. What Paddle computes lies in one piece
whatever it was computed from, so only views are in danger.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import Any

from rewriters.infer.either import ARRAYS, members
from rewriters.infer.joining import gives_tensor
from rewriters.infer.values import (
    BOOLEAN,
    NONE,
    NUMPY_AT_TIMES,
    Bottom,
    Either,
    External,
    FunctionOf,
    Instance,
    Items,
    Method,
    ModuleInfo,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.places.by_text import changes_in, names_holding, text
from rewriters.places.calls import effect_of_call
from rewriters.places.contiguity import KEEPING, STRIDING, Layouts, bindings
from rewriters.places.effect import Effect
from rewriters.places.index_parts import (
    WHOLE,
    index_parts,
    is_open,
    is_reckoned,
    is_several,
    is_written_out,
    item_called,
    part_of,
    reckoned_names,
    spread,
    surely_picks,
)
from rewriters.targets.paddle.passes.lists_read import lists_read, may_be_lists
from rewriters.targets.paddle.passes.one_piece import changes, in_one_piece, is_change

EINSUM = "torch.einsum"
PICKING = {NUMPY_AT_TIMES.kind, "object", "opaque", "list"}
GET, SET = "torch.Tensor.__getitem__:strided", "torch.Tensor.__setitem__:strided"
PICKED, SET_PICKED = "torch.Tensor.__getitem__:strided index", "torch.Tensor.__setitem__:strided index"
NEW_AXES, SET_NEW_AXES = "torch.Tensor.__getitem__:new axes", "torch.Tensor.__setitem__:new axes"
UNKNOWN, SET_UNKNOWN = "torch.Tensor.__getitem__:strided unknown", "torch.Tensor.__setitem__:strided unknown"
ANY = "torch.Tensor.__getitem__:any"
HANDED = {"__getitem__": "torch.Tensor.__getitem__:handed on", "__setitem__": "torch.Tensor.__setitem__:handed on"}
# Layers that may give what they were given, or a view; all others of torch.nn compute.
HANDING_ON = {
    "Identity", "Flatten", "Unflatten", "Sequential", "LSTM", "GRU", "RNN", "MultiheadAttention", "Module",
    "ModuleList", "ModuleDict", "DataParallel",
}  # fmt: skip

# What gives several tensors, all new.
PAIRS = {"topk", "sort", "max", "min", "median", "mode", "kthvalue", "unique", "cummax", "cummin"}


class Strides(Layouts):
    """As the base; layers and the project's own functions are looked into, and of a name what has bound it last."""

    def __init__(self, module: ModuleInfo) -> None:
        super().__init__(module)
        self.reckoned: dict[ast.AST, set[str]] = {}

    @cached_property
    def changing(self) -> set[ast.AST]:
        """Functions in which something may change in place, or the file."""
        return {self.around(node) for node in changes(self.module.nodes)}

    @cached_property
    def changed(self) -> set[str]:
        return changes_in(self.module)

    def reckons(self, node: ast.Subscript) -> bool:
        """Whether the function that an index is used in reckons with it."""
        if not isinstance(node.slice, ast.Name) or not may_be_any(node.slice):
            return False
        scope = self.around(node)
        if scope not in self.reckoned:
            self.reckoned[scope] = reckoned_names(scope)
        return node.slice.id in self.reckoned[scope]

    def may_change(self, node: ast.Subscript) -> bool:
        """Whether what is taken, or what it is taken from, changes in place in the file, by the names that hold it."""
        parents, held = self.module.nodes.parents, node
        while isinstance(around := parents.get(held), (ast.Attribute, ast.Call, ast.Subscript)):
            if isinstance(around, ast.Call) and held is not around.func:
                break
            if isinstance(around, ast.Attribute) and is_change(around.attr):
                return True
            held = around  # type: ignore[assignment]
        holders = names_holding(self.module, held)
        return not holders or not self.changed.isdisjoint(holders | {text(node.value)})

    def name(self, node: ast.Name) -> bool:
        scope = self.around(node)
        if (node, "") in self.open:
            return True
        last = self.last_bindings(node, scope)
        if last is None:
            return super().name(node)
        self.open.add((node, ""))
        answer = all(value is not None and self.gives(value, each) for value, each in last)
        self.open.discard((node, ""))
        return answer

    def last_bindings(self, node: ast.Name, scope: ast.AST) -> list[tuple[ast.expr | None, bool]] | None:
        """What may have bound a name last before it is used here; None where that does not follow from the order."""
        found: list[tuple[ast.expr | None, bool]] = []
        part: ast.AST = node
        while part in self.module.nodes.parents and part is not scope:
            owner = self.module.nodes.parents[part]
            if isinstance(part, ast.comprehension) or isinstance(owner, (ast.ListComp, ast.GeneratorExp, ast.Lambda)):
                return None
            for statement in reversed(statements_before(part, owner) if isinstance(part, ast.stmt) else []):
                made = list(bindings(statement, node.id))
                if made and isinstance(statement, ast.Assign):
                    return found if computes_several(statement.value) else found + made
                found += made
            if isinstance(owner, (ast.For, ast.AsyncFor, ast.While, ast.Try)):
                found += bindings(owner, node.id)  # the round before
            part = owner
        return None

    def exchanged(self, node: ast.expr) -> bool:
        """Whether what is not known is, by the name of the method that made it, a strided view."""
        if isinstance(node, ast.Name):
            made = self.last_bindings(node, self.around(node)) or []
            return any(
                value is not None and not isinstance(value, ast.Name) and self.exchanged(value) for value, _ in made
            )
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in STRIDING

    def call(self, node: ast.Call) -> bool:
        called = getattr(node.func, "v", None)
        if isinstance(called, Ref) and called.name == EINSUM and effect_of_call(node) == Effect(name=EINSUM):
            return True  # of several operands: the kernel orders its axes itself
        if isinstance(called, Instance) and called.name.startswith("torch.nn."):
            return called.name.rpartition(".")[2] not in HANDING_ON
        function = called.info if isinstance(called, FunctionOf) else None
        if isinstance(called, ObjectOf):
            function = called.info.functions.get("forward")
        if function is not None:
            return self.gives_new(function)
        return super().call(node)

    def gives_new(self, function: Any) -> bool:
        """Whether all that a function of the same file returns is sure to lie so."""
        if function.module is not self.module or function.opaque or isinstance(function.node, ast.Lambda):
            return False
        if (function.node, "") in self.open:
            return True
        self.open.add((function.node, ""))
        returns = [part for part in self.module.nodes.of(ast.Return) if self.around(part) is function.node]
        answer = bool(returns) and all(part.value is not None and self.plain(part.value) for part in returns)
        self.open.discard((function.node, ""))
        return answer


def statements_before(statement: ast.stmt, owner: ast.AST) -> list[ast.stmt]:
    """Of the same block of what it stands in."""
    blocks = (getattr(owner, name, None) for name in ("body", "orelse", "finalbody"))
    block: list[ast.stmt] = next(block for block in blocks if isinstance(block, list) and statement in block)
    return block[: block.index(statement)]


def computes_several(value: ast.expr) -> bool:
    """``torch.topk(x, k)``, ``x.sort()``: values and indices that are new."""
    called = getattr(value.func, "v", None) if isinstance(value, ast.Call) else None
    return isinstance(called, (Method, Ref)) and called.name.rpartition(".")[2] in PAIRS


def strided(module: ModuleInfo) -> dict[ast.AST, str]:
    """Subscripts of this module by which Paddle may take the wrong elements, and statements that may store to them."""
    found: dict[ast.AST, str] = {}
    strides = Strides(module)
    names = lists_read(module)
    numbers = {target for node in module.nodes.of(ast.Assign) if not is_list(node.value) for target in node.targets}
    for node in module.nodes.of(ast.Subscript):
        if isinstance(node.ctx, ast.Del):
            continue
        taken = isinstance(node.ctx, ast.Load)
        if not isinstance(value := getattr(node.value, "v", None), Tensor):
            wrong = (
                takes_wrong(node.slice, sure=True) if taken else stores_wrong(node.slice, node in numbers, sure=True)
            )
            if isinstance(value, (Unknown, Bottom)) and taken and may_be_lists(node.slice, names):
                found[node] = ANY
            elif isinstance(value, (Unknown, Bottom)) and wrong:
                told = gives_tensor(value) or is_without_arrays(module)
                if strides.exchanged(node.value) or (told and not strides.plain(node.value)):
                    found[node] = UNKNOWN if taken else SET_UNKNOWN
            continue
        if means_several(node.slice, names):
            several = not may_be_any(node.slice)
            found[node] = (NEW_AXES if taken else SET_NEW_AXES) if several else (PICKED if taken else SET_PICKED)
            continue
        wrong = takes_wrong(node.slice) if taken else stores_wrong(node.slice, node in numbers)
        if wrong and not (taken and strides.reckons(node)) and not strides.plain(node.value):
            unsaid = may_be_any(node.slice)
            copied = not unsaid and copies(node, strides)
            found[node] = (GET if copied else PICKED) if taken else (SET_PICKED if unsaid else SET)
    return found | called_by_name(module, strides, names) | in_one_piece(module, strides)


def called_by_name(module: ModuleInfo, strides: Strides, names: set[str]) -> dict[ast.AST, str]:
    """``x.__getitem__(at)`` and ``operator.setitem(x, at, y)`` that may take, or store to, the wrong elements."""
    found: dict[ast.AST, str] = {}
    called = set()
    for node in module.nodes.of(ast.Call):
        called.add(node.func)
        item = item_called(node)
        if item is None or not isinstance(getattr(item.owner, "v", None), Tensor):
            continue
        wrong = takes_wrong(item.place) if item.value is None else stores_wrong(item.place, number=False)
        if means_several(item.place, names) or (wrong and not strides.plain(item.owner)):
            found[node] = PICKED if item.value is None else SET
    for node in module.nodes.of(ast.Attribute):
        if node.attr in HANDED and node not in called and isinstance(getattr(node.value, "v", None), Tensor):
            found[node] = HANDED[node.attr]
    return found


def means_several(index: ast.expr, names: set[str]) -> bool:
    """Whether an index may mean to torch what Paddle does not read in it, whatever it is an index of."""
    return may_be_lists(index, names) or makes_axes(index) or joins_masks(index) or lists_parts(index)


def may_be_any(index: ast.expr) -> bool:
    """Whether nothing says whether an index is one part or several."""
    return isinstance(value := part_of(index), Either) or is_open(value)


def copies(node: ast.Subscript, strides: Strides) -> bool:
    """Whether what an index takes is a copy in torch too, or nobody can tell, since nothing changes in the function."""
    if any(map(surely_picks, index_parts(node.slice))):
        return True
    quiet = strides.around(node) not in strides.changing or is_consumed(node, strides.module)
    return is_written_out(node.slice) and (quiet or not strides.may_change(node))


def is_consumed(node: ast.Subscript, module: ModuleInfo) -> bool:
    """Whether something is computed of what is taken at once, so that nobody has it afterwards: ``x[:, i].clone()``."""
    around = module.nodes.parents.get(node)
    if isinstance(around, ast.Call):
        called = getattr(around.func, "v", None)
        name = called.name.rpartition(".")[2] if isinstance(called, Ref) and node in around.args else "_"
    elif isinstance(around, ast.Attribute):
        name = around.attr
    else:
        return isinstance(around, (ast.BinOp, ast.UnaryOp, ast.Compare))
    return not name.endswith("_") and name not in STRIDING | KEEPING | {"contiguous", "data", "grad"}


def is_without_arrays(module: ModuleInfo) -> bool:
    """Whether the file imports neither numpy nor pandas: then what takes ``x[:, [0, 2]]`` is a tensor."""
    named = (value.name for value in module.scope.values() if isinstance(value, External))
    return not any(name.partition(".")[0] in {"numpy", "pandas"} for name in named)


def makes_axes(index: ast.expr) -> bool:
    """Whether an index has a new axis beside what may be a tensor or a list."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    new = any(isinstance(part, ast.Constant) and part.value is None for part in parts)
    return new and any(is_list(part) for part in parts)


def lists_parts(index: ast.expr) -> bool:
    """Whether an index is a list of more than numbers, ``x[[[0, 1], [1, 0]]]``: torch takes it for several parts.

    Or a name of a tuple with a new axis among them.
    """
    if isinstance(index, ast.Tuple):
        return False
    return any(holds_parts(value, isinstance(index, ast.List)) for value in members(part_of(index)))


def holds_parts(value: Value, written: bool) -> bool:
    if not isinstance(value, (Items, Series)):
        return False
    inner = value.values if isinstance(value, Items) else (value.element,)
    if value.kind != "list" and NONE not in inner:
        return False
    held = value.kind == "list" and not written
    return any(isinstance(one, (Items, Series, Tensor)) or one == NONE or (held and may_pick(one)) for one in inner)


def joins_masks(index: ast.expr) -> bool:
    """Whether an index has a mask, which may be of several axes, beside what may be a tensor or a list."""
    value = getattr(index, "v", None)
    if isinstance(index, ast.Tuple):
        values = [getattr(part, "v", None) for part in index.elts]
        several = sum(map(is_list, index.elts)) > 1
    else:  # a name of such a tuple
        values = [*value.values] if isinstance(value, Items) and value.kind == "tuple" else []
        several = len(values) > 1
    return several and any(isinstance(one, Tensor) and one.kinds == BOOLEAN and one.ndim != 1 for one in values)


def takes_wrong(index: ast.expr, sure: bool = False) -> bool:
    """Whether an index may hold, or surely holds, a tensor or a list behind a slice or an ellipsis."""
    if not isinstance(index, ast.Tuple) and may_be_any(index):
        if sure or is_reckoned(index):
            return False
        several = (spread(one) for one in members(part_of(index)) if is_several(one))
        return is_open_at_all(part_of(index)) or any(picks_behind(parts, written=False) for parts in several)
    return picks_behind(index_parts(index), is_written_out(index), sure)


def is_open_at_all(value: Value) -> bool:
    """Whether it may be anything, none of a few kinds of values."""
    return any(is_open(one) for one in members(value))


def picks_behind(parts: list[Value], written: bool, sure: bool = False) -> bool:
    """written: whether the parts stand in the index themselves."""
    behind = perhaps = False
    for part in parts:
        if (behind and may_pick(part, sure)) or (perhaps and surely_picks(part)):
            return True
        perhaps = perhaps or (is_open(part) and not sure)  # most likely a number
        behind = behind or part in WHOLE or (perhaps and not written)
    return False


def stores_wrong(index: ast.expr, number: bool, sure: bool = False) -> bool:
    """Whether an index may hold, or surely holds, a tensor or a list, but for one mask by which a number is stored."""
    parts = index_parts(index)
    value = parts[0] if number and len(parts) == 1 else None
    if isinstance(value, Tensor) and value.kinds == BOOLEAN and value.ndim != 0:
        return False
    return any(may_pick(part, sure) for part in parts)


def is_list(part: ast.expr) -> bool:
    """Whether what is stored, or a part of an index, may be a tensor or a list."""
    return not isinstance(part, (ast.Slice, ast.Constant)) and may_pick(part_of(part))


def may_pick(part: Value, sure: bool = False) -> bool:
    if sure:
        return isinstance(part, Tensor) or (isinstance(part, (Items, Series)) and part.kind == "list")
    return not isinstance(part, Plain) or part in ARRAYS or part.kind in PICKING
