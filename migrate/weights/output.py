"""Outputs are written aside and renamed when complete; whatever was there stays until then."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from migrate.errors import Unusable

REPLACE = "give --force to replace it, or another -o"
Ours = Callable[[Path], bool]


def check_output(path: Path, source: Path, *, force: bool, ours: Ours | None) -> None:
    """Raises Unusable unless ``path`` may be written.

    source: the input, which must not be it.
    ours:   for an output that is a folder: whether one that exists was written by that format's writer.
    """
    if not path.name:
        raise Unusable(f"{path}: is no name for an output", "give another -o")
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}", "give another -o") from None
    if stat.S_ISLNK(mode):
        raise Unusable(f"{path}: is a symbolic link; only files and folders are written", "give the path it points to")
    if path.samefile(source):
        raise Unusable(f"{path}: is the checkpoint itself", "give another -o")
    if ours is None and not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise Unusable(f"{path}: is {what}, the output is a file", "give another -o")
    if ours is not None and not (stat.S_ISDIR(mode) and ours(path)):
        raise Unusable(f"{path}: exists and is not of this format, so it is not replaced", "give another -o")
    if not force:
        raise Unusable(f"{path}: exists", REPLACE)


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A sibling of ``path`` to write to; it takes the place of ``path`` at the end of the block, if that succeeds.

    Raises Unusable where the operating system refuses: no permission, no space.
    """
    aside = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove(aside)  # left by a run that was killed
        try:
            yield aside
            _sync(aside)
            _take_place(aside, path)
        finally:
            _remove(aside)
    except OSError as error:
        named = error.filename or path
        raise Unusable(f"{named}: {error.strerror or error}", "give -o in a folder that can be written") from None


def _remove(path: Path) -> None:
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        shutil.rmtree(path)


def _sync(path: Path) -> None:
    """Forces contents to the disk, so that the rename cannot overtake them."""
    for part in [*path.rglob("*"), path] if path.is_dir() else [path]:
        descriptor = os.open(part, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _take_place(aside: Path, path: Path) -> None:
    if not path.is_dir():
        os.replace(aside, path)
        return
    # A folder cannot replace one that is not empty: the old one steps aside, and comes back if that fails.
    old = path.with_name(f".{path.name}.replaced")
    _remove(old)
    path.rename(old)
    try:
        aside.rename(path)
    except OSError:
        old.rename(path)
        raise
    _remove(old)
