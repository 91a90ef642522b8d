"""The packages that are looked through: their modules by name, and what a name of a module stands for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from rewriters.reach.units import Kind, Module, Unit

DEEPEST = 20  # imports that hand a name on


@dataclass(frozen=True)
class File:
    """Where a module lies, in the folder that holds its package."""

    path: PurePosixPath
    is_package: bool
    data: bytes


class Library:
    """The packages whose units are followed.

    names: of the packages. find: a module's file by its dotted name, None where there is none.
    """

    def __init__(self, names: Iterable[str], find: Callable[[str], File | None]) -> None:
        self.names = frozenset(names)
        self.find = cache(find)
        self.modules: dict[str, Module] = {}

    def holds(self, name: str) -> bool:
        return name.partition(".")[0] in self.names and self.find(name) is not None

    def module(self, name: str) -> Module:
        """Raises UnreadableSource."""
        if name not in self.modules:
            file = self.find(name)
            assert file is not None
            self.modules[name] = Module(name, file.path, file.is_package, file.data)
        return self.modules[name]

    def source(self, unit: Unit) -> tuple[str, bool]:
        """The module that an item is imported from, and whether it is of the library."""
        node = unit.node
        name = unit.module.imported(node) if isinstance(node, ast.ImportFrom) else unit.name
        return name, name.partition(".")[0] in self.names

    def definitions(self, module: str, name: str, depth: int = 0) -> list[Unit]:
        """The units that define what a module calls so."""
        if not self.holds(module) or depth > DEEPEST:
            return []
        found = []
        for unit in self.module(module).bound.get(name, []):
            if unit.kind is Kind.IMPORT and isinstance(unit.node, ast.ImportFrom):
                found += self.definitions(unit.module.imported(unit.node), unit.name, depth + 1)
            else:
                found.append(unit)
        return found
