"""What a pickle is read as: references that were never looked up, and objects that were never made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class Malformed(ValueError):
    """Not a pickle that can be read; the message says what is wrong with it."""


@dataclass(frozen=True)
class Global:
    """What a pickle refers to by name: a class or function, never looked up."""

    name: str


@dataclass(eq=False)
class Opaque:
    """An object of a class that is not known: what the pickle would have made it from.

    name:    of its class or of the function that makes it.
    args:    arguments of that call.
    state:   what BUILD would have handed to ``__setstate__``.
    items:   what APPEND would have added.
    entries: what SETITEM would have set.
    """

    name: str
    args: tuple[Any, ...] = ()
    state: Any = None
    items: list[Any] = field(default_factory=list)
    entries: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Blob:
    """A long bytes object, left where it is: ``nbytes`` of the stream from ``start`` on."""

    start: int
    nbytes: int


@dataclass(eq=False)
class OpaqueKey:
    """Stands for a dictionary key that is not a scalar: hashing a nested tuple can take forever."""

    value: Any
