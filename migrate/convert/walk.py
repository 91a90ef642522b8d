"""Which files of a project are converted, which copied, which left out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pathspec

from migrate.convert.record import RECORD
from migrate.errors import Unusable

NEVER = {
    ".git",
    ".hg",
    ".svn",
    "__pycache__",
    "node_modules",
    ".venv",
    "venv",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".ipynb_checkpoints",
    ".migrate",
}

Patterns = tuple[Path, Sequence[str]]
"""A folder, and patterns as .gitignore has them, relative to it."""

Rules = list[tuple[Path, pathspec.GitIgnoreSpec]]


@dataclass
class Project:
    """What lies under PATH, by path relative to ``root``.

    root:    the folder; for a single file, the folder it is in.
    package: the folder's name when it is itself a package.
    sources: Python files.
    others:  files that are copied (some rewritten: requirements).
    links:   symbolic links, kept as they are.
    folders: folders with nothing in them.
    texts:   sources that are not as they lie under the root, or not there at all, with their content.
    notes:   texts of ours.
    copies:  others that lie elsewhere.
    vendors: whether parts of packages are among the sources.
    inside:  the folder of the output that all goes to; "" for the output itself.
    told:    a line on each package, or part of one, that comes along.
    renamed: packages that entries are of, and that come along with them -> their names in the output.
    """

    root: Path
    package: str
    sources: list[PurePosixPath] = field(default_factory=list)
    others: list[PurePosixPath] = field(default_factory=list)
    links: list[PurePosixPath] = field(default_factory=list)
    folders: list[PurePosixPath] = field(default_factory=list)
    single: bool = False
    texts: dict[PurePosixPath, bytes] = field(default_factory=dict)
    notes: dict[PurePosixPath, bytes] = field(default_factory=dict)
    copies: dict[PurePosixPath, Path] = field(default_factory=dict)
    vendors: bool = False
    inside: str = ""
    told: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)


def find_files(path: Path, exclude: Sequence[Patterns] = (), leave_out: Path | None = None) -> Project:
    """The project at ``path``: a file, a notebook, a package, or a folder of scripts.

    leave_out: a folder inside that is the output of this run.

    Outputs of other runs inside are left out too. Raises Unusable.
    """
    if not path.exists():
        raise Unusable(f"{path}: no such file or folder", "give a .py file, a notebook, or the folder of a project")
    if path.is_file():
        file = [PurePosixPath(path.name)]
        if path.suffix == ".ipynb":
            return Project(path.parent, "", others=file, single=True)
        if path.suffix != ".py":
            raise Unusable(f"{path}: not a Python file", "give a .py file, a notebook, or the folder of a project")
        return Project(path.parent, "", file, single=True)
    if (path / RECORD).is_file():
        raise Unusable(f"{path}: is itself the output of a conversion", "give the folder of the torch project")
    project = Project(path, path.resolve().name if (path / "__init__.py").is_file() else "")
    excluded = [(folder.resolve(), pathspec.GitIgnoreSpec.from_lines(lines)) for folder, lines in exclude]
    Walk(project, excluded, leave_out.resolve() if leave_out else None).folder(PurePosixPath(""), [])
    return project


class Walk:
    """Sorts what is below a project's root into its lists, in order of path."""

    def __init__(self, project: Project, excluded: Rules, leave_out: Path | None) -> None:
        self.project = project
        self.root = project.root.resolve()
        self.excluded = excluded
        self.leave_out = leave_out

    def folder(self, folder: PurePosixPath, ignored: Rules) -> None:
        """Each .gitignore holds for its own folder and below."""
        here = self.root / folder
        ignored = [*ignored, *read_gitignore(here)]
        kept = 0
        for entry in self.entries(here, folder):
            path = here / entry.name
            relative = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_ours(entry.name) or self.is_excluded(path, is_folder) or is_ignored(path, is_folder, ignored):
                continue
            kept += 1
            if entry.is_symlink():
                self.project.links.append(relative)
            elif is_folder:
                if not self.is_foreign(path):
                    self.folder(relative, ignored)
            elif entry.is_file():
                (self.project.sources if relative.suffix == ".py" else self.project.others).append(relative)
        if not kept and folder.parts:
            self.project.folders.append(folder)

    def entries(self, here: Path, folder: PurePosixPath) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(here) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            shown = self.project.root / folder
            raise Unusable(f"{shown}: cannot be read: {error.strerror}", "make it readable or --exclude it") from error
        yield from found

    def is_excluded(self, path: Path, is_folder: bool) -> bool:
        return any(spec.match_file(inside(path, folder, is_folder)) for folder, spec in self.excluded)

    def is_foreign(self, path: Path) -> bool:
        """Whether a folder is the output of this or another conversion, or a virtual environment."""
        return path == self.leave_out or (path / RECORD).is_file() or (path / "pyvenv.cfg").is_file()


def is_ours(name: str) -> bool:
    """Whether nobody wants it: caches, version control, what an interrupted run of ours left."""
    return name in NEVER or (name.startswith(".") and name.endswith(".partial"))


def read_gitignore(folder: Path) -> Rules:
    path = folder / ".gitignore"
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return [(folder, pathspec.GitIgnoreSpec.from_lines(lines))]


def is_ignored(path: Path, is_folder: bool, ignored: Rules) -> bool:
    """As git decides: the innermost .gitignore that says anything of the path has the word."""
    for folder, spec in reversed(ignored):
        decided = spec.check_file(inside(path, folder, is_folder)).include
        if decided is not None:
            return decided
    return False


def inside(path: Path, folder: Path, is_folder: bool) -> str:
    return f"{path.relative_to(folder).as_posix()}{'/' if is_folder else ''}"
