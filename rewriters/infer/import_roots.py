"""Folders at which absolute imports begin: the project's own, those of scripts below it, those that a program adds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

ADDED = re.compile(rb"sys\.path\.(?:append|insert|extend)[ \t]*\(([^\n]*)")
TEXT = re.compile(rb"[\"']([^\"'\n]+)[\"']")
# The folder of a project's packages that is on the path once the project is installed.
SOURCES = "src"


class Found(NamedTuple):
    """name: the module's, in full; root: the folder at which the import begins, dotted, "" for the project's own."""

    name: str
    root: str


class ImportRoots:
    """Of the modules of a project.

    names:    of all modules.
    packages: those of packages.
    added:    folders that programs put on the path, by dotted names.
    """

    def __init__(self, names: Iterable[str], packages: Collection[str], added: Iterable[str]) -> None:
        self.names = frozenset(names)
        folders = {name.rpartition(".")[0] for name in self.names - frozenset(packages)}
        self.added = tuple(sorted(added))
        # A package's modules are not imported by their names alone, whatever lies beside them.
        self.scripts = (folders | {*self.added}) - frozenset(packages) - {""}

    def find(self, name: str, near: str = "") -> Found | None:
        """What an absolute import of the name means in the module ``near``."""
        return next(self.meant(name, near), None)

    def meant(self, name: str, near: str) -> Iterator[Found]:
        """What it may mean, likely ones first: which folders are on the path depends on what is run."""
        if name in self.names:
            yield Found(name, "")
        folder, beside = near.rpartition(".")[0], True
        while folder:
            full = f"{folder}.{name}"
            if full in self.names and (beside or folder in self.scripts):
                yield Found(full, folder)
            folder, beside = folder.rpartition(".")[0], False
        for added in self.added:
            if f"{added}.{name}" in self.names:
                yield Found(f"{added}.{name}", added)


def added_folders(sources: Mapping[PurePosixPath, bytes]) -> frozenset[str]:
    """Folders with sources that programs put on the path by texts, and ``src`` where it is no package."""
    folders = {parent for path in sources for parent in path.parents} - {PurePosixPath(".")}
    found = {PurePosixPath(SOURCES)} & folders
    for path, data in sources.items():
        for match in ADDED.finditer(data) if b"sys.path" in data else ():
            for text in TEXT.findall(match[1]):
                said = PurePosixPath(text.decode("utf-8", "replace"))
                found |= {said, path.parent / said} & folders
    return frozenset(".".join(one.parts) for one in found if one / "__init__.py" not in sources or one.name != SOURCES)
