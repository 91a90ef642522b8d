"""What is known of a value that is one of several, and of what a value holds or gives."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from rewriters.infer.cells import reading
from rewriters.infer.either import holders, members
from rewriters.infer.python_dtypes import TYPES, is_type
from rewriters.infer.ranks import hints_of_rows
from rewriters.infer.values import (
    ANY_KIND,
    AT_TIMES,
    BARE,
    BOOLEAN,
    BOTTOM,
    CALLABLES,
    COMPLEX,
    DTYPE,
    DTYPE_IF_ANY,
    EXCLUDED,
    FIGURED,
    FIGURES,
    FLOATING,
    HELD,
    HOLDERS,
    INTEGERS,
    INTEGRAL,
    LOOKED_UP,
    MAYBE,
    NAME,
    NARROW,
    NONE,
    NUMBER,
    NUMERIC,
    NUMPY,
    NUMPY_AT_TIMES,
    OBJECT,
    OF_NUMPY,
    OPAQUE,
    OR_ELSE,
    STR,
    TENSOR,
    TRUTHS,
    TYPED,
    UNKNOWN,
    WIDE,
    Bottom,
    Choice,
    Either,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.torch.table import entry, mro

MOST_CHOICES = 12


Known = tuple[tuple[Any, Value], ...]


def same_keys(a: Known, b: Known) -> Known:
    """What lies under the literal keys of a dict that is one of two; nothing is told where one has others."""
    if not a or not b:
        return ()
    theirs = dict(b)
    if len(a) != len(b) or any(key not in theirs for key, _ in a):
        return ()
    return tuple((key, join(value, theirs[key])) for key, value in a)


def with_item(held: Mapping, key: ast.expr, value: Value) -> Mapping:
    """The dict once the value is stored in it: under a key that is not literal it may lie under any."""
    known: Known = ()
    if held.known and isinstance(key, ast.Constant):
        old = dict(held.known)
        known = tuple((old | {key.value: join(old.get(key.value, BOTTOM), value)}).items())
    return Mapping(join(held.element, value), known, join(held.key, getattr(key, "v", UNKNOWN)))


def join(a: Value, b: Value) -> Value:
    """What is known of a value that is either ``a`` or ``b``. None is absorbed: using it would fail either way; but as
    a dtype.
    """
    if a is b:
        return a
    left_kind, right_kind = a.__class__, b.__class__  # most calls end here: cheap questions first
    if right_kind is Bottom or (left_kind is right_kind and a == b):
        return a
    if left_kind is Bottom:
        return b
    if right_kind is Plain and b == NONE:
        return DTYPE_IF_ANY if is_dtype(a) else a
    if left_kind is Plain and a == NONE:
        return DTYPE_IF_ANY if is_dtype(b) else b
    if EXCLUDED in (a, b):  # what only others give says nothing of what the project does
        return b if a == EXCLUDED else a
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        hints = a.hints | b.hints
        if (a.hints ^ b.hints) & WIDE and a.kinds & b.kinds & FLOATING:
            hints |= NARROW
        if a.kinds != b.kinds and (a.kinds | b.kinds) & COMPLEX:  # what of nothing is known, or little
            hints |= AT_TIMES if INTEGRAL in (a.kinds, b.kinds) else TRUTHS if BOOLEAN in (a.kinds, b.kinds) else 0
        if 0 in (a.ndim, b.ndim) and a.ndim != b.ndim:
            hints |= BARE
        return Tensor(a.assumed or b.assumed, a.kinds | b.kinds, a.ndim if a.ndim == b.ndim else None, hints)
    if isinstance(a, Items) and isinstance(b, Items) and len(a.values) == len(b.values):
        return Items(tuple(map(join, a.values, b.values)), a.kind if a.kind == b.kind else "sequence")
    if isinstance(a, (Items, Series)) and isinstance(b, (Items, Series)):
        return Series(join(element(a), element(b)), a.kind if a.kind == b.kind else "sequence")
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return Mapping(join(a.element, b.element), same_keys(a.known, b.known), join(a.key, b.key))
    if isinstance(a, ObjectOf) and isinstance(b, ObjectOf) and a.info is b.info:
        return ObjectOf(a.info)
    if isinstance(a, Plain) and isinstance(b, Plain):
        if is_type(a) and is_type(b):
            return TYPES
        kinds = {a.kind, b.kind}
        if kinds <= NUMERIC | {"figures"}:
            return NUMBER if kinds <= NUMERIC else FIGURES
        if kinds == {"str", "name"}:
            return NAME
        if kinds <= NUMERIC | {"figures", NUMPY.kind, NUMPY_AT_TIMES.kind}:
            return NUMPY_AT_TIMES
        return OBJECT if kinds.isdisjoint(HOLDERS) else OPAQUE
    if DTYPE_IF_ANY in (a, b) and is_dtype(a) and is_dtype(b):
        return DTYPE_IF_ANY
    left, right = torch_class(a), torch_class(b)
    if left and right:
        common = next((name for name in mro(left) if name in mro(right)), None)
        if common:
            one, other = called(a), called(b)
            if one is None or other is None:
                result: Value | None = None if one is other and left == right else UNKNOWN
            else:
                result = join(one, other)
            if isinstance(a, Instance) and isinstance(b, Instance):
                inner = join(a.element, b.element) if a.element and b.element else None
                members = join(a.members, b.members) if a.members and b.members else None
                first = a.first if a.first == b.first else None
                return Instance(common, inner, result, members if isinstance(members, Mapping) else None, first)
    if isinstance(a, CALLABLES) and isinstance(b, CALLABLES):
        return choice(a, b)
    return either(a, b)


def either(a: Value, b: Value) -> Value:
    """One of a few values that have nothing in common; where one of them is not known, neither is what comes out."""
    found: list[Value] = []
    for one in (*members(a), *members(b)):
        if not isinstance(one, TOLD_APART):
            return either_way(a, b)
        place = next((i for i, other in enumerate(found) if kind_of(other) is kind_of(one)), None)
        if place is None:
            found.append(one)
        else:
            found[place] = join(found[place], one)
    tensor = any(isinstance(one, Tensor) for one in found)
    if any(isinstance(one, Unknown) for one in found):
        return either_way(*found)
    if len(found) == 1:
        return found[0]
    return Either(tensor, hinted_kinds(found), tuple(map(flat, found)))


def either_way(*values: Value) -> Value:
    """What is not known, with what is known of it at times."""
    tensor, low = any(map(gives_tensor, values)), hinted_kinds(values)
    if low & OF_NUMPY and any(isinstance(one, Unknown) and not one.low & OF_NUMPY for one in values):
        low |= OR_ELSE
    return Unknown(tensor, low) if low else MAYBE if tensor else UNKNOWN


def hinted_kinds(values: Iterable[Value]) -> int:
    """What is said of any of them."""
    found = 0
    for value in values:
        found |= low_kinds(value)
    return found


def low_kinds(value: Value) -> int:
    """Of which kinds below floating-point numbers it is at times, as far as something says so; FIGURED,
    OF_NUMPY, TYPED.
    """
    if isinstance(value, Unknown):
        return value.low
    if isinstance(value, Plain):
        low = FIGURED if value.kind in NUMERIC else OF_NUMPY if value in (NUMPY, NUMPY_AT_TIMES) else 0
        return low or (TYPED if is_type(value) else 0)
    if not isinstance(value, Tensor):
        return 0
    if value.kinds | BOOLEAN != ANY_KIND:
        return value.kinds & (BOOLEAN | INTEGRAL)
    return (BOOLEAN if value.hints & TRUTHS else 0) | (INTEGRAL if value.hints & (INTEGERS | AT_TIMES) else 0)


def flat(value: Value) -> Value:
    """Without choices inside: ``x = [x, x]`` in a loop would make them deeper with each round, without end."""
    if isinstance(value, Either):
        return either_way(value)
    if isinstance(value, Items):
        return Items(tuple(map(flat, value.values)), value.kind)
    if isinstance(value, Series):
        return Series(flat(value.element), value.kind)
    if isinstance(value, Mapping):
        return Mapping(flat(value.element), tuple((key, flat(one)) for key, one in value.known), flat(value.key))
    return value


def joined(values: Iterable[Value]) -> Value:
    """What is known of a value that is any of these."""
    found: Value = BOTTOM
    for one in values:
        found = join(found, one)
    return found


def kind_of(value: Value) -> type[Value]:
    """The class that two of a kind are joined by."""
    return Series if isinstance(value, Items) else type(value)


# What the members of a choice may be.
TOLD_APART = (Tensor, Items, Series, Mapping, Plain)


def gives_tensor(value: Value) -> bool:
    """Whether it is a tensor, or is one at times."""
    return isinstance(value, Tensor) or (isinstance(value, Unknown) and value.tensor)


def as_tensor(value: Value) -> Value:
    """What is known where it has been used as tensors alone can be."""
    if isinstance(value, Tensor):
        return replace(value, assumed=False)
    if isinstance(value, Either):
        left = [one for one in value.values if isinstance(one, Tensor)]
        return replace(left[0], assumed=False) if left else value
    return TENSOR if isinstance(value, Unknown) else value


def may_be_held(value: Value) -> bool:
    """Whether it may come out of what others hold."""
    return isinstance(value, Unknown) and bool(value.low & LOOKED_UP)


def holds_tensor(value: Value) -> bool:
    """Whether it is a tensor at times, or a container that holds some."""
    if isinstance(value, Items):
        return any(map(holds_tensor, value.values))
    if isinstance(value, (Series, Mapping)):
        return holds_tensor(value.element)
    return gives_tensor(value)


def choice(a: Value, b: Value) -> Value:
    """Either of two callables."""
    values = list(a.values) if isinstance(a, Choice) else [a]
    for value in b.values if isinstance(b, Choice) else (b,):
        if value not in values:
            values.append(value)
    return Choice(tuple(values)) if len(values) <= MOST_CHOICES else UNKNOWN


def is_dtype(value: Value) -> bool:
    if isinstance(value, Ref):
        return (entry(value.name) or {}).get("type") == "dtype"
    return isinstance(value, Instance) and value.name == DTYPE.name


def present(value: Value) -> Value:
    """What is known of it where it is not None."""
    return DTYPE if value == DTYPE_IF_ANY else value


def torch_class(value: Value) -> str | None:
    """The torch class that the value is an instance of, directly or through a class of the project."""
    if isinstance(value, Instance):
        return value.name
    if isinstance(value, ObjectOf):
        return value.info.torch_base()
    return None


def called(value: Value) -> Value | None:
    """What calling a torch or project Module gives, as far as the value itself says."""
    if isinstance(value, Instance):
        if value.result is None and (entry(value.name) or {}).get("forward") != "Tensor":
            return None
        return value.result or TENSOR
    if isinstance(value, ObjectOf):
        reading.cells.add(value.info.cells.read("forward"))
        forward = value.info.functions.get("forward")
        if forward:
            reading.cells.add(forward.answers)
        return forward.returns if forward else None
    return None


def element(value: Value) -> Value:
    """What iterating over the value gives."""
    if isinstance(value, Either):
        return joined(map(element, holders(value))) if holders(value) else UNKNOWN
    if isinstance(value, Tensor):
        return Tensor(value.assumed, value.kinds, value.ndim - 1 if value.ndim else None, hints_of_rows(value.hints))
    if isinstance(value, Series):
        return value.element
    if isinstance(value, Items):
        found: Value = BOTTOM
        for item in value.values:
            found = join(found, item)
        return found
    if isinstance(value, Instance) and value.element is not None:
        return value.element
    if isinstance(value, Mapping):
        return value.key
    if isinstance(value, Bottom):
        return BOTTOM
    if isinstance(value, Plain):
        return value if value == NUMPY else STR if value in (STR, NAME) else held(value)
    found = HELD if may_be_held(value) else UNKNOWN
    return either_way(found, MAYBE) if gives_tensor(value) else found  # of a tensor at times: its rows


def held(container: Plain) -> Value:
    """What an object of another library has in it."""
    return OBJECT if "." in container.kind or container.kind in {"object", "ndarray", "bytes"} else UNKNOWN


def tensors_in(values: Iterable[Value], at_times: bool = False) -> list[Tensor]:
    """The tensors among arguments, and in sequences of them.

    at_times: also what is one at times.
    """
    found = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, Items) or (at_times and isinstance(value, Either)):
            found += tensors_in(value.values, at_times)
        elif isinstance(value, Series):
            found += tensors_in([value.element], at_times)
    return found


def holds_arrays(values: Sequence[Value]) -> bool:
    """Whether one is an array or a number of numpy's, or a list of some: of a dtype of their own."""
    parts = [part for value in values if isinstance(value, Items) for part in value.values]
    return any(value in (NUMPY, NUMPY_AT_TIMES) for value in values) or (bool(parts) and holds_arrays(parts))


def are_at_times(tensors: Sequence[Tensor]) -> bool:
    """Whether all hold integers in one of the calls, where one of them may hold something else in another."""
    told = any(tensor.hints & AT_TIMES for tensor in tensors)
    return told and all(tensor.hints & AT_TIMES or tensor.kinds == INTEGRAL for tensor in tensors)
