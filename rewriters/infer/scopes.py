"""Names and what they hold, and what has been interpreted among them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

from rewriters.infer.cells import Again, Cell, Group, reading
from rewriters.infer.joining import join
from rewriters.infer.values import ClassInfo, FunctionInfo, Value


class Scope(dict[str, Value]):
    """Names and what they hold, at one place of the program.

    bound:  what each name was bound to, and when (``count``): a function inside sees what holds when it is called.
    within: whether it is a comprehension's, which runs where it stands.
    function: whose names they are, where they are a function's.
    dotted: whether something is known of attributes, or has been.
    """

    __slots__ = ("bound", "count", "dotted", "function", "within")

    def __init__(self, *, within: bool = False, function: FunctionInfo | None = None) -> None:
        super().__init__()
        self.function = function
        self.bound: dict[str, list[tuple[int, Value]]] = {}
        self.count = 0
        self.dotted = False
        self.within = within

    def note(self, name: str, value: Value) -> None:
        """The name holds that from here on."""
        self.count += 1
        self.bound.setdefault(name, []).append((self.count, value))

    def since(self, name: str, count: int) -> Value:
        """What the name may hold at ``count`` or later."""
        found = self[name]
        for when, value in reversed(self.bound.get(name, ())):
            found = join(found, value)
            if when <= count:
                break
        return found


class Unit:
    """A file, or the body of a function, as it was interpreted last.

    began:     when, by the count of changes.
    scopes:    the names around.
    depth:     how many scopes are around; of a file none.
    cells, groups: what it has read.
    seen:      what names of those around held for it; None for one that they did not have.
    sheltered: whether it has asked which names those around have.
    waiting:   the bodies of functions that stand in it.
    """

    __slots__ = ("began", "cells", "depth", "groups", "scopes", "seen", "sheltered", "waiting")

    def __init__(self, began: int, scopes: list[Scope], depth: int) -> None:
        self.scopes = scopes
        self.depth = depth
        self.began = began
        self.cells: tuple[Cell, ...] = ()
        self.groups: tuple[Group, ...] = ()
        self.seen: dict[str, Value | None] = {}
        self.sheltered = False
        self.waiting: dict[FunctionInfo, Waiting] = {}

    def holds(self, clock: int, again: Again) -> bool:
        """Whether nothing that it has read has changed: to interpret it again would change nothing.

        clock: the project's count of changes; again: looks up what may have changed.
        """
        began = self.began
        for cell in self.cells:  # it is asked of all code in each round
            if cell.at > began:
                return False
        for group in self.groups:  # noqa: SIM110
            if group.newest(clock, again) > began:
                return False
        return True

    def begin(self, bound: Cell) -> None:
        """From here on what is read is read by it. bound: the cell of what functions bind in its file."""
        reading.cells, reading.groups = {bound}, set()

    def done(self) -> None:
        """All is read. There are very many units, most of which have nothing of some kind."""
        self.cells, self.groups = tuple(reading.cells), tuple(reading.groups)
        self.seen, self.waiting = self.seen or NO_NAMES, self.waiting or NO_BODIES

    def sees_the_same(self, around: Waiting) -> bool:
        """Whether these scopes hold for it what those did that it was interpreted in."""
        if self.sheltered or len(around.scopes) != self.depth:
            return False
        return all(around.look_up(name) == value for name, value in self.seen.items())


# Nothing is put there.
NO_NAMES: Any = MappingProxyType({})
NO_BODIES: Any = MappingProxyType({})


class Waiting(NamedTuple):
    """A function's body that waits until what is around it has been read.

    made: of the scopes around: how much had been bound there when the function was made.
    kept: whether what is around it is as it was the last time.
    """

    scopes: list[Scope]
    owner: ClassInfo | None
    made: dict[int, int]
    kept: bool = False

    def look_up(self, name: str) -> Value | None:
        """What a name around may hold when the function is called; None where there is no such name."""
        for scope in reversed(self.scopes):
            if "__class__" not in scope and name in scope:
                return scope.since(name, self.made.get(id(scope), 0))
        return None

    def moved_to(self, around: Waiting) -> Waiting:
        """The same of a function inside one that has not been interpreted again, with what is around that now."""
        depth = len(around.scopes)
        own = self.scopes[depth:]
        made = {id(scope): around.made.get(id(scope), 0) for scope in around.scopes}
        made |= {id(scope): self.made[id(scope)] for scope in own if id(scope) in self.made}
        return self._replace(scopes=[*around.scopes, *own], made=made, kept=False)
