"""Outputs are written aside and renamed when complete; whatever was there stays until then."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from migrate.errors import Unusable

REPLACE = "give --force to replace it, or another -o"
NO_ROOM = "make room, or give -o on another disk"
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
Ours = Callable[[Path], bool]


def check_output(path: Path, sources: Sequence[Path], *, force: bool, ours: Ours | None) -> None:
    """Raises Unusable unless ``path`` may be written.

    sources: the input's files and folders, which must not be it.
    ours:    for an output that is a folder: whether one that exists was written by that format's writer.
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
    for source in filter(Path.exists, sources):
        if path.samefile(source) or path.resolve() in source.resolve().parents:
            raise Unusable(f"{path}: is the checkpoint itself, or holds it", "give another -o")
    if ours is None and not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise Unusable(f"{path}: is {what}, the output is a file", "give another -o")
    if ours is not None and not (stat.S_ISDIR(mode) and ours(path)):
        raise Unusable(f"{path}: exists and is not of this format, so it is not replaced", "give another -o")
    if not force:
        raise Unusable(f"{path}: exists", REPLACE)


def check_room(path: Path, nbytes: int) -> None:
    """Raises Unusable when the disk that ``path`` will be on has no room for so many bytes."""
    folder = next(parent for parent in path.absolute().parents if parent.is_dir())
    free = shutil.disk_usage(folder).free
    if free < nbytes:
        raise Unusable(f"{path}: needs {nbytes:,} bytes, and the disk has {free:,} left", NO_ROOM)


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A sibling of ``path`` to write to; it takes the place of ``path`` at the end of the block, if that succeeds.

    Where it replaces something, its contents are on the disk before it does: a power failure leaves one or the other.

    Raises Unusable where the operating system refuses: no permission, no space.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _clean_up(path)
        _remove(aside)
        try:
            yield aside
            if path.exists():
                _sync(aside)
            _take_place(aside, path)
        finally:
            _remove(aside)
    except OSError as error:
        named = error.filename or path
        mend = NO_ROOM if error.errno in FULL else "give -o in a folder that can be written"
        raise Unusable(f"{named}: {error.strerror or error}", mend) from None


def _clean_up(path: Path) -> None:
    """Remove what runs that were killed left beside ``path``, and put back what they were about to replace."""
    ours = re.compile(rf"\.{re.escape(path.name)}\.(\d+)\.(partial|replaced)")
    for name in os.listdir(path.parent):
        if (found := ours.fullmatch(name)) and not _is_running(int(found[1])):
            left = path.with_name(name)
            if found[2] == "replaced" and not path.exists():
                left.rename(path)
            else:
                _remove(left)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


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
    # A folder cannot replace one that is not empty: the old one steps aside, and comes back if that fails. A run that
    # is killed between the two renames leaves it there; the next one puts it back.
    old = path.with_name(f".{path.name}.{os.getpid()}.replaced")
    _remove(old)
    path.rename(old)
    try:
        aside.rename(path)
    except OSError:
        old.rename(path)
        raise
    _remove(old)
