"""What changes the axes of a tensor in place: which names hold that tensor is not known."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from rewriters.infer.scopes import Scope
from rewriters.infer.values import ANY_KIND, Tensor, Value

RERANKING = {"unsqueeze_", "squeeze_", "resize_", "resize_as_", "set_", "as_strided_"}


class Names(Protocol):
    """What is known of names at some point of the code."""

    scope: Scope

    def set_path(self, path: str, value: Value) -> None: ...


def reranked(names: Names, before: Value, data: Value | None = None) -> Value:
    """The tensor, and what is known of names from there on.

    data: what is stored to its ``.data``, where that is what changes it.
    """
    if isinstance(before, Tensor) and data is not None:
        before = of_other_kinds(names, before, data)
    if not isinstance(before, Tensor) or before.ndim in {None, getattr(data, "ndim", None)}:
        return before
    for name, value in list(names.scope.items()):
        if isinstance(value, Tensor) and value.ndim == before.ndim:
            names.set_path(name, replace(value, ndim=None))
    return replace(before, ndim=None)


def of_other_kinds(names: Names, before: Tensor, data: Value) -> Tensor:
    """The tensor, where its ``.data`` may bring another dtype: so may whatever names hold it."""
    kinds = before.kinds | (data.kinds if isinstance(data, Tensor) else ANY_KIND)
    hints = before.hints | (data.hints if isinstance(data, Tensor) else 0)
    if (kinds, hints) == (before.kinds, before.hints):
        return before
    for name, value in list(names.scope.items()):
        if isinstance(value, Tensor) and (value.kinds, value.ndim) == (before.kinds, before.ndim):
            names.set_path(name, replace(value, kinds=kinds, hints=value.hints | hints))
    return replace(before, kinds=kinds, hints=hints)
