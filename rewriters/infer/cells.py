"""What is read and changed: so that code is interpreted again only where something that it reads has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


class Cell:
    """Something that several bodies of code may read and change.

    at:     when it changed last, by the project's count.
    absent: until it first changes, what those have read who asked before it was there.
    """

    __slots__ = ("absent", "at")

    def __init__(self, absent: Cell | None = None) -> None:
        self.at = 0
        self.absent = absent


class NamedCell(Cell):
    """Of what lies under a name of a class: who asks very many classes reads one cell for all of that name."""

    __slots__ = ("name", "owner")

    def __init__(self, absent: Cell | None, name: str, owner: Any) -> None:
        super().__init__(absent)
        self.name = name
        self.owner = owner


class Cells(dict[str, Cell]):
    """Of what lies under names: a cell for each, made when it is first asked for, and "" for what concerns them all.

    absent: of all names under which nothing has been put yet: many are asked of many classes that never have them.
    """

    __slots__ = ("absent",)

    def __init__(self) -> None:
        super().__init__()
        self.absent = Cell()

    def __missing__(self, name: str) -> Cell:
        found = self[name] = Cell(self.absent)
        return found

    def read(self, name: str) -> Cell:
        """For who only reads what lies under the name."""
        return self.get(name, self.absent)


class OfClass(Cells):
    """Of what lies under the names of a class, its owner."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        super().__init__()
        self.owner = owner

    def __missing__(self, name: str) -> Cell:
        found = self[name] = NamedCell(self.absent, name, self.owner)
        return found


# Of a class, beside its names.
BASES, DERIVED, COMPUTED = "", "<", "*"


class Group:
    """Cells that are read together, and other groups of them; kept once for all that read them.

    at:    when one of them changed last, as far as was seen.
    clock: the project's count of changes when that was looked for.
    """

    __slots__ = ("at", "cells", "clock", "groups")

    def __init__(self, cells: Iterable[Cell], groups: Iterable[Group] = ()) -> None:
        self.at = 0
        self.clock = -1
        self.cells = tuple(cells)
        self.groups = tuple(groups)

    def newest(self, clock: int, again: Again) -> int:
        """When one of them changed last.

        clock: the project's count of changes; again: looks up what may have changed.
        """
        if self.clock != clock:
            at = self.at
            for cell in self.cells:  # it is asked for each attribute
                if cell.at > at:
                    at = cell.at
            for group in self.groups:
                at = max(at, group.newest(clock, again))
            self.at, self.clock = at, clock
        return self.at


class Reading:
    """What is being read: so that code is interpreted again only where something that it reads has changed.

    cells, groups: what has been read by what is being interpreted.
    bases: counts the changes of classes' bases, all in all.
    derived: of what derives from them.
    """

    __slots__ = ("bases", "cells", "derived", "groups")

    def __init__(self) -> None:
        self.cells: set[Cell] = set()
        self.groups: set[Group] = set()
        self.bases = 0
        self.derived = 0

    def forget(self) -> None:
        self.cells, self.groups = set(), set()


reading = Reading()


class Kinship(Group):
    """Cells of classes' bases, or of what derives from them, of however many: none has changed while no class at all
    has others.
    """

    __slots__ = ("count",)

    def __init__(self, cells: Iterable[Cell]) -> None:
        super().__init__(cells)
        self.count = -1

    def newest(self, clock: int, again: Again) -> int:
        count = reading.bases + reading.derived
        if count != self.count:
            super().newest(clock, again)
            self.count = count
        return self.at


class Remembered(Group):
    """What was found out by reading. Where something that was read has changed it is found out again; who has read it
    is concerned only if something else is found then.

    asked:   what was looked up.
    since:   the project's count of changes when it was found.
    changed: when what was read had changed last before it was first found so.
    """

    __slots__ = ("asked", "changed", "found", "since")

    def __init__(self, asked: Any) -> None:
        super().__init__(())
        self.asked = asked
        self.since = -1
        self.changed = 0
        self.found: Any = None

    def newest(self, clock: int, again: Again) -> int:
        if self.clock != clock and super().newest(clock, again) > self.since:
            again(self)
        return self.changed

    def take(self, clock: int, found: Any, again: Again) -> None:
        """What has been found by reading what is in ``reading``; clock: the project's count of changes."""
        self.cells, self.groups = tuple(reading.cells), tuple(reading.groups)
        before, self.clock, self.since = self.since, -1, clock
        at = super().newest(clock, again)
        if before < 0:
            self.found = found
        elif found != self.found:
            self.found, self.changed = found, at


Again = Callable[[Remembered], None]
