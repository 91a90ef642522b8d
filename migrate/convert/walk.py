"""Which files of a project are converted, which copied, which left out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pathspec

from migrate.errors import Unusable

NEVER = {".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "venv", ".tox", ".mypy_cache", ".pytest_cache", ".migrate"}


@dataclass
class Project:
    """What lies under PATH, by path relative to ``root``.

    root:    the folder; for a single file, the folder it is in.
    package: the folder's name when it is itself a package.
    sources: Python files.
    others:  files that are copied (some rewritten: requirements).
    links:   symbolic links, kept as they are.
    """

    root: Path
    package: str
    sources: list[PurePosixPath] = field(default_factory=list)
    others: list[PurePosixPath] = field(default_factory=list)
    links: list[PurePosixPath] = field(default_factory=list)
    single: bool = False


def find_files(path: Path, exclude: Sequence[str] = (), leave_out: Path | None = None) -> Project:
    """The project at ``path``: a file, a package, or a folder of scripts.

    exclude:   patterns as .gitignore has them.
    leave_out: a folder inside that is the output of an earlier run.
    """
    if not path.exists():
        raise Unusable(f"{path}: no such file or folder")
    if path.is_file():
        if path.suffix != ".py":
            raise Unusable(f"{path}: not a Python file", "give a .py file or the folder of a project")
        return Project(path.parent, "", [PurePosixPath(path.name)], single=True)
    project = Project(path, path.resolve().name if (path / "__init__.py").is_file() else "")
    given = pathspec.GitIgnoreSpec.from_lines(exclude)
    for relative, is_link in walk(path, PurePosixPath(""), [], given, leave_out.resolve() if leave_out else None):
        if is_link:
            project.links.append(relative)
        elif relative.suffix == ".py":
            project.sources.append(relative)
        else:
            project.others.append(relative)
    return project


Rules = list[tuple[PurePosixPath, pathspec.GitIgnoreSpec]]


def walk(root: Path, folder: PurePosixPath, ignored: Rules, given: pathspec.GitIgnoreSpec, leave_out: Path | None) -> Iterator[tuple[PurePosixPath, bool]]:
    """Files below a folder in order, with whether they are links; each .gitignore holds for its own folder and below."""
    here = root / folder
    ignore_file = here / ".gitignore"
    if ignore_file.is_file():
        lines = ignore_file.read_text(encoding="utf-8", errors="replace").splitlines()
        ignored = [*ignored, (folder, pathspec.GitIgnoreSpec.from_lines(lines))]
    try:
        entries = sorted(os.scandir(here), key=lambda entry: entry.name)
    except OSError as error:
        raise Unusable(f"{here}: {error.strerror}") from error
    for entry in entries:
        relative = folder / entry.name
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name in NEVER or matches(relative, is_folder, ignored) or given.match_file(f"{relative}{'/' if is_folder else ''}"):
            continue
        if entry.is_symlink():
            yield relative, True
        elif is_folder:
            if leave_out is None or Path(entry.path).resolve() != leave_out:
                if (Path(entry.path) / "pyvenv.cfg").is_file():
                    continue
                yield from walk(root, relative, ignored, given, leave_out)
        elif entry.is_file():
            yield relative, False


def matches(relative: PurePosixPath, is_folder: bool, ignored: Rules) -> bool:
    for folder, spec in ignored:
        inner = relative.relative_to(folder)
        if spec.match_file(f"{inner}{'/' if is_folder else ''}"):
            return True
    return False
