"""Packages that are installed beside migrate, or whose folder is given."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path, PurePosixPath

from migrate.environments.project import folder_for
from migrate.errors import Unusable
from rewriters.reach.library import File


@dataclass(frozen=True)
class Package:
    """An installed package.

    folder:       its own. distribution, version, licence: as far as its metadata says; "" otherwise.
    licence_files: of the distribution.
    """

    name: str
    folder: Path
    distribution: str = ""
    version: str = ""
    licence: str = ""
    licence_files: list[Path] = field(default_factory=list)

    def find(self, module: str) -> File | None:
        """The file of a module of this package."""
        parts = module.split(".")
        path = self.folder.joinpath(*parts[1:])
        for file, is_package in ((path / "__init__.py", True), (path.parent / f"{path.name}.py", False)):
            if file.is_file() and path.name != "__init__":
                return File(PurePosixPath(parts[0], *file.relative_to(self.folder).parts), is_package, read(file))
        return None

    def modules(self) -> Iterator[tuple[str, bytes]]:
        """Every module, by its dotted name, with its text."""
        for path in sorted(self.folder.rglob("*.py")):
            parts = path.relative_to(self.folder).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            yield ".".join((self.name, *parts)), read(path)


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unusable(f"{path}: cannot be read: {error.strerror}", "make it readable") from error


def search_path(beside: Path | None = None) -> list[str]:
    """Where packages are looked for: in that folder, as this interpreter does, then in the active environment."""
    found = [] if beside is None else [str(beside)]
    found += [entry for entry in sys.path if entry]
    active = os.environ.get("VIRTUAL_ENV", "")
    if active and Path(active).resolve() != Path(sys.prefix).resolve():
        found += [str(path) for path in sorted(Path(active).glob("[Ll]ib*/**/site-packages"))]
    return found


def find_package(name: str, project: Path | None = None, beside: Path | None = None) -> Package:
    """A package by its name, or by its folder.

    project: in whose own environment it may be too (``migrate env torch --for PROJECT``); beside: a folder where it is
    looked for first. Raises Unusable.
    """
    given = Path(name)
    if (given / "__init__.py").is_file():
        return described(given.resolve().name, given)
    own = folder_for("torch", project).glob("[Ll]ib*/**/site-packages") if project is not None else ()
    spec = PathFinder.find_spec(name, [*search_path(beside), *map(str, own)]) if name.isidentifier() else None
    if spec is None or not spec.submodule_search_locations or not spec.origin:
        raise Unusable(
            f"{name}: no such package here",
            f"install it beside migrate (pip install {name}), or with what else the project needs (migrate env torch "
            "--for PROJECT), or give its folder",
        )
    return described(name, Path(spec.origin).parent)


def described(name: str, folder: Path) -> Package:
    for distribution in metadata.distributions(path=[str(folder.parent)]):
        files = distribution.files or []
        if any(file.parts[0] == name for file in files):
            texts = [Path(str(file.locate())) for file in files if is_licence(file.parts)]
            licence = said(distribution, "License-Expression") or said(distribution, "License")
            return Package(name, folder, said(distribution, "Name"), distribution.version, licence, existing(texts))
    beside = [path for place in (folder, folder.parent) for path in place.iterdir() if is_licence((path.name,))]
    return Package(name, folder, licence_files=existing(beside))


def said(distribution: metadata.Distribution, key: str) -> str:
    """The first line of what a distribution's metadata says."""
    found = distribution.metadata.get_all(key) or [""]
    return str(found[0]).strip().split("\n")[0]


def is_licence(parts: tuple[str, ...]) -> bool:
    name = parts[-1].upper()
    inside = len(parts) == 1 or ".dist-info" in parts[0]
    return inside and name.startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE")) and not name.endswith(".PY")


def existing(paths: list[Path]) -> list[Path]:
    return sorted({path.name: path for path in paths if path.is_file()}.values())
