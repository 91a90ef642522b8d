"""What is read and changed: so that code is interpreted again only where something that it reads has changed."""

from __future__ import annotations


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
