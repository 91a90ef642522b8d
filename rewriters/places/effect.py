"""What a call does with what it is given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effect:
    """What a call does with what it is given.

    new:     the result is, or may be, something of its own.
    aliases: arguments (0 the receiver of a method, else position or keyword) that it may be; None: all of them.
    parts:   the result is several parts of those.
    writes:  arguments that change.
    keeps:   others may hold the arguments from then on.
    outside: the result may be what others hold.
    name:    torch's canonical name, where it is torch's.
    """

    new: bool = True
    aliases: frozenset[int | str] | None = frozenset()
    parts: bool = False
    writes: frozenset[int | str] = frozenset()
    keeps: bool = False
    outside: bool = False
    name: str = ""
