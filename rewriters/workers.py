"""Other processes, as the engine asks for them. Whoever converts says how they are started, and how many work at once.

What comes out of the engine does not depend on how many do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Channel(Protocol):
    """The way to a process that works beside this one.

    at_once: whether both work at the same time; else the other one waits until it has been told something.
    """

    @property
    def at_once(self) -> bool: ...

    def send(self, data: bytes) -> None:
        """Waits until the other has taken it."""

    def receive(self) -> bytes:
        """What the other has sent; raises EOFError where it has ended."""

    def close(self) -> None:
        """Nothing more is sent or received; waits for the other's end."""


class Workers(Protocol):
    """Starts other processes, which know all that this one knows."""

    def spread(self, work: Callable[[int], T], turns: int) -> Iterable[T]:
        """Do the work of several turns, each given its number; what comes out of them, in their order."""

    def look_after(self) -> None:
        """To be called now and then while one of the turns is done: who has ended another begins the next."""

    def beside(self, work: Callable[[Channel], None]) -> Channel | None:
        """Begin some work in another process, which is given its end of a channel; None where there is none."""


class Alone:
    """One process does everything."""

    def spread(self, work: Callable[[int], T], turns: int) -> Iterable[T]:
        return map(work, range(turns))

    def look_after(self) -> None:
        return

    def beside(self, work: Callable[[Channel], None]) -> Channel | None:
        return None
