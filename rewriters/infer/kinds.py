"""Kinds of dtypes, and those that the results of torch's functions have by the words that ``results.json`` has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from rewriters.infer.joining import tensors_in
from rewriters.infer.ranks import ndim_of
from rewriters.infer.values import (
    ANY_KIND,
    ANY_NUMBER,
    BOOLEAN,
    COMPLEX,
    FLOATING,
    INTEGRAL,
    NONE,
    Instance,
    Items,
    Plain,
    Ref,
    Series,
    Tensor,
    Value,
)

LOW = BOOLEAN | INTEGRAL
KINDS = (BOOLEAN, INTEGRAL, FLOATING, COMPLEX)
NUMBERS = {"bool": BOOLEAN, "int": INTEGRAL, "float": FLOATING, "complex": COMPLEX}
NUMBERS["number"] = BOOLEAN | INTEGRAL | FLOATING
CONSTANT = {"bool": BOOLEAN, "int": INTEGRAL, "float": FLOATING}
PROMOTIONS = {"promoted": BOOLEAN, "counted": INTEGRAL, "floating": FLOATING}


def known_low(value: Value | None) -> bool:
    """Whether it is a tensor that holds no floating-point numbers, for sure."""
    return isinstance(value, Tensor) and bool(value.kinds) and not value.kinds & ~LOW


@lru_cache(4096)
def highest(*groups: int) -> int:
    """The kinds to which torch promotes one of each group."""
    found = groups[0]
    for group in groups[1:]:
        found = sum({max(a, b) for a in KINDS if a & found for b in KINDS if b & group})
    return found


def of_number(value: Value) -> int:
    """The kinds of a Python number; 0 for what is certainly none; any for what is not known."""
    if isinstance(value, Plain):
        return NUMBERS.get(value.kind, ANY_KIND if value in ANY_NUMBER else 0)
    return 0 if isinstance(value, (Tensor, Items, Series, Ref, Instance)) or value == NONE else ANY_KIND


def known(values: Iterable[Value]) -> bool:
    """Whether all are known as far as it matters here: an unknown argument may be a tensor."""
    return all(
        all(known([inner]) for inner in value.values)
        if isinstance(value, Items)
        else known([value.element])
        if isinstance(value, Series)
        else isinstance(value, (Tensor, Plain, Ref, Instance))
        for value in values
    )


def fill(value: Value, words: list[Any], arguments: Sequence[Value]) -> Value:
    """Kinds and ndim of a result, by the table's words."""
    seen, *results = words
    if isinstance(value, Items):
        if len(results) == 1:
            results = results * len(value.values)
        if len(results) != len(value.values):
            return value
        parts = zip(value.values, results, strict=True)
        return Items(tuple(fill(part, [seen, word], arguments) for part, word in parts), value.kind)
    if isinstance(value, Series):
        return Series(fill(value.element, [seen, results[0]], arguments), value.kind)
    if not isinstance(value, Tensor) or not results:
        return value
    certain = known(arguments)
    tensors = tensors_in(arguments)
    dtype, ndim = results[0]
    if not tensors and certain:
        packed = any(isinstance(one, Instance) for one in arguments)  # what holds tensors
        return Tensor(value.assumed, CONSTANT[dtype], value.ndim) if packed and dtype in CONSTANT else value
    tensors = tensors or [Tensor()]  # of which nothing is known
    if not tensors_in(arguments[:1]):  # what is first is not known; an index is
        dtype, ndim = ("" if word in {"first", "real"} else word for word in (dtype, ndim))
    return Tensor(value.assumed, kinds_of(dtype, seen, tensors, arguments, certain), ndim_of(ndim, tensors, certain))


def kinds_of(word: str, seen: int, tensors: list[Tensor], arguments: Sequence[Value], certain: bool) -> int:
    if word in CONSTANT:
        return CONSTANT[word]
    given = [taken(tensor.kinds, seen) for tensor in tensors]
    first = given[0]
    if any(kinds & ~seen for kinds in given):
        return ANY_KIND
    if word == "first":
        return first
    if word == "real":
        return (first & ~COMPLEX) | (FLOATING if first & COMPLEX else 0)
    if word not in PROMOTIONS:
        return ANY_KIND
    numbers = [kinds for kinds in map(of_number, arguments) if kinds] if certain else [ANY_KIND]
    return highest(PROMOTIONS[word], *given, *numbers)


def taken(kinds: int, seen: int) -> int:
    """The kinds that a function takes of those given: floating-point numbers may always be complex ones, which what has
    no samples of them refuses. What is not known stays so.
    """
    is_known = bool(kinds & FLOATING) and kinds | BOOLEAN != ANY_KIND
    return kinds & ~COMPLEX if is_known and not seen & COMPLEX else kinds
