"""What changes the axes of a tensor in place: which names hold that tensor is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from rewriters.infer.scopes import Scope
from rewriters.infer.values import ANY_KIND, TENSOR, Either, Items, Mapping, Series, Tensor, Value

RERANKING = {"unsqueeze_", "squeeze_", "resize_", "resize_as_", "set_", "as_strided_"}


# What a function may change of tensors that it is given.
AXES, DTYPE = 1, 2


class Names(Protocol):
    """What is known of names at some point of the code."""

    scope: Scope

    def set_path(self, path: str, value: Value) -> None: ...

    def remakes(self, what: int) -> None:
        """The function that is being interpreted changes this of some tensor."""


def reranked(names: Names, before: Value, data: Value | None = None) -> Value:
    """The tensor, and what is known of names from there on.

    data: what is stored to its ``.data``, where that is what changes it.
    """
    if isinstance(before, Tensor) and data is not None:
        before = of_other_kinds(names, before, data)
    if not isinstance(before, Tensor) or (data is not None and before.ndim in {None, getattr(data, "ndim", None)}):
        return before
    names.remakes(AXES)
    change_all(names, lambda one: replace(one, ndim=None) if before.ndim in {None, one.ndim} else one)
    return replace(before, ndim=None)


def remade(names: Names, values: Iterable[Value], what: int) -> None:
    """A function has been given these values, which changes this of some tensor."""
    for value in values:
        if isinstance(value, Tensor) and what & DTYPE:
            of_other_kinds(names, value, TENSOR)
        if isinstance(value, Tensor) and what & AXES:
            reranked(names, value)


def of_other_kinds(names: Names, before: Tensor, data: Value) -> Tensor:
    """The tensor, where its ``.data`` may bring another dtype: so may whatever names hold it."""
    kinds = before.kinds | (data.kinds if isinstance(data, Tensor) else ANY_KIND)
    hints = before.hints | (data.hints if isinstance(data, Tensor) else 0)
    if (kinds, hints) == (before.kinds, before.hints):
        return before
    names.remakes(DTYPE)

    def changed(one: Tensor) -> Tensor:
        alike = (one.kinds, one.ndim) == (before.kinds, before.ndim)
        return replace(one, kinds=kinds, hints=one.hints | hints) if alike else one

    change_all(names, changed)
    return replace(before, kinds=kinds, hints=hints)


def change_all(names: Names, change: Callable[[Tensor], Tensor]) -> None:
    """Of what names are bound to, and of what lies in that."""
    for name, value in list(names.scope.items()):
        if (now := within(value, change)) != value:
            names.set_path(name, now)


def within(value: Value, change: Callable[[Tensor], Tensor]) -> Value:
    """A value with all tensors that are or lie in it changed so."""
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, Series):
        return replace(value, element=within(value.element, change))
    if isinstance(value, Mapping):
        known = tuple((key, within(one, change)) for key, one in value.known)
        return replace(value, element=within(value.element, change), known=known)
    if isinstance(value, (Items, Either)):
        return replace(value, values=tuple(within(one, change) for one in value.values))
    return value
