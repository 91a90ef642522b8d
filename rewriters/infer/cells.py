"""What is read and changed: so that code is interpreted again only where something that it reads has changed."""

from __future__ import annotations

from typing import Any


class Cell:
    """Something that several bodies of code may read and change; at: when it changed last, by the project's count."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = 0


class Cells(dict[str, Cell]):
    """Of what lies under names: a cell for each, made when it is first asked for, and "" for what concerns them all."""

    __slots__ = ()

    def __missing__(self, name: str) -> Cell:
        found = self[name] = Cell()
        return found


# Of a class, beside its names.
BASES, DERIVED, COMPUTED = "", "<", "*"


class Reading:
    """What is being read: so that code is interpreted again only where something that it reads has changed.

    cells: what has been read by what is being interpreted.
    bases: counts the changes of classes' bases, all in all.
    derived: of what derives from them.
    """

    __slots__ = ("bases", "cells", "derived")

    def __init__(self) -> None:
        self.cells: set[Cell] = set()
        self.bases = 0
        self.derived = 0


reading = Reading()


class Remembered:
    """What was found out by reading, for as long as it holds.

    clock: the project's count of changes when it was found, or last seen to hold.
    """

    __slots__ = ("cells", "clock", "found")

    def __init__(self, clock: int, cells: tuple[Cell, ...], found: Any) -> None:
        self.clock = clock
        self.cells = cells
        self.found = found

    def holds(self, clock: int) -> bool:
        """Whether nothing that was read has changed until now. What it has read is read again."""
        if self.clock != clock:
            since = self.clock
            for cell in self.cells:  # it is asked for each attribute
                if cell.at > since:
                    return False
            self.clock = clock
        reading.cells.update(self.cells)
        return True
