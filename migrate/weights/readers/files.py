"""The files that a checkpoint lies in: of this machine, or wherever fsspec reaches."""

from __future__ import annotations

import io
import os
import stat
import threading
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from migrate.errors import Unusable

COPY_AGAIN = "copy or download it again"
REMOTE_BLOCK = 8 << 20
"""Bytes that are asked for at once where every request is a round trip."""


class File(Protocol):
    """A file to read ranges of; threads may share it.

    name:     as messages show it. size: in bytes.
    parallel: whether it is worthwhile to read several ranges at once.
    """

    name: str
    size: int
    parallel: bool

    def read_into(self, view: memoryview, start: int) -> None:
        """Fill ``view`` with the bytes from ``start`` on. Raises Unusable where the file ends before."""

    def stream(self) -> BinaryIO:
        """A seekable stream of its own."""

    def close(self) -> None: ...


class LocalFile:
    """A file of this machine."""

    parallel = True

    def __init__(self, path: Path) -> None:
        """Raises Unusable unless ``path`` is a regular file (or a link to one) that can be read."""
        self.name, self.path = str(path), path
        try:
            mode = path.stat().st_mode
            if stat.S_ISDIR(mode):
                raise Unusable(f"{path}: is a folder", "give the file of a checkpoint")
            if not stat.S_ISREG(mode):
                raise Unusable(f"{path}: is not a regular file", "give the path of a checkpoint")
            self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise Unusable(f"{path}: {why}", "give the path of a checkpoint") from None
        self.size = os.fstat(self._descriptor).st_size

    def read_into(self, view: memoryview, start: int) -> None:
        done = 0
        while done < len(view):
            try:
                count = os.preadv(self._descriptor, [view[done:]], start + done)
            except OSError as error:
                raise Unusable(f"{self.name}: {error.strerror}", COPY_AGAIN) from None
            if not count:
                raise Unusable(f"{self.name}: ends early, at byte {start + done:,}", COPY_AGAIN)
            done += count

    def stream(self) -> BinaryIO:
        return self.path.open("rb")

    def close(self) -> None:
        os.close(self._descriptor)


class RemoteFile:
    """A file behind a URL, read through fsspec in blocks, each of which is asked for once when they come in order."""

    parallel = False

    def __init__(self, filesystem: Any, path: str, name: str) -> None:
        self.name = name
        self._filesystem, self._path = filesystem, path
        try:
            self._stream = filesystem.open(path, "rb", block_size=REMOTE_BLOCK, cache_type="readahead")
            self.size = int(self._stream.seek(0, io.SEEK_END))
        except Exception as error:  # each backend raises its own
            raise Unusable(f"{name}: {type(error).__name__}: {error}", "give the URL of a checkpoint") from None
        self._lock = threading.Lock()

    def read_into(self, view: memoryview, start: int) -> None:
        with self._lock:
            try:
                self._stream.seek(start)
                done = 0
                while done < len(view):
                    data = self._stream.read(len(view) - done)
                    if not data:
                        raise Unusable(f"{self.name}: ends early, at byte {start + done:,}", COPY_AGAIN)
                    view[done : done + len(data)] = data
                    done += len(data)
            except Unusable:
                raise
            except Exception as error:
                raise Unusable(f"{self.name}: {type(error).__name__}: {error}", "try again") from None

    def stream(self) -> BinaryIO:
        return cast(BinaryIO, self._filesystem.open(self._path, "rb", block_size=REMOTE_BLOCK))

    def close(self) -> None:
        self._stream.close()


class Place:
    """A path or a URL, and its neighbours in the same folder.

    Raises Unusable for a URL where fsspec, or what it needs for it, is missing.
    """

    def __init__(self, location: str | Path) -> None:
        self.name = str(location)
        self._filesystem: Any = None
        if isinstance(location, Path) or "://" not in location:
            self.path: Path | None = Path(location)
            return
        self.path = None
        try:
            import fsspec  # type: ignore[import-untyped]

            self._filesystem, self._remote = fsspec.core.url_to_fs(location)
        except ImportError as error:
            raise Unusable(
                f"{location}: reading it needs a library that is missing: {error}",
                "pip install 'torch-migrate[remote]', and what fsspec names for that protocol (s3fs, gcsfs, ...)",
            ) from None
        except Exception as error:
            raise Unusable(f"{location}: {type(error).__name__}: {error}", "give a path or a URL") from None

    def open(self) -> File:
        if self.path is not None:
            return LocalFile(self.path)
        return RemoteFile(self._filesystem, self._remote, self.name)

    def is_folder(self) -> bool:
        if self.path is not None:
            return self.path.is_dir()
        return bool(self._ask("isdir", self._remote))

    def listing(self) -> list[str]:
        """Names in the folder."""
        if self.path is not None:
            try:
                return sorted(os.listdir(self.path))
            except OSError as error:
                raise Unusable(f"{self.path}: {error.strerror}", "give the path of a checkpoint") from None
        return sorted(str(name).rstrip("/").rpartition("/")[2] for name in self._ask("ls", self._remote, detail=False))

    def child(self, name: str) -> Place:
        """What lies under ``name`` in this folder; ``name`` is not taken for a path. Raises Unusable."""
        if name in ("", ".", "..") or any(character in name for character in "/\\\0"):
            raise Unusable(f"{self.name}: names a file that is not beside it: {name!a}", COPY_AGAIN)
        if self.path is not None:
            return Place(self.path / name)
        return Place(f"{self.name.rstrip('/')}/{name}")

    def folder(self) -> Place:
        """The folder that it lies in."""
        if self.path is not None:
            return Place(self.path.parent)
        return Place(self.name.rstrip("/").rpartition("/")[0])

    def _ask(self, method: str, *arguments: Any, **options: Any) -> Any:
        try:
            return getattr(self._filesystem, method)(*arguments, **options)
        except Exception as error:
            raise Unusable(f"{self.name}: {type(error).__name__}: {error}", "give the URL of a checkpoint") from None


class Window:
    """A part of a file as a file of its own."""

    def __init__(self, file: File, start: int, size: int) -> None:
        """Raises Unusable when it is not within the file."""
        self.name, self.size, self.parallel = file.name, size, file.parallel
        self._file, self._start = file, start
        if start + size > file.size:
            raise Unusable(f"{file.name}: ends early, before byte {start + size:,}", COPY_AGAIN)

    def read_into(self, view: memoryview, start: int) -> None:
        if start + len(view) > self.size:
            raise Unusable(f"{self.name}: a part of it ends early", COPY_AGAIN)
        self._file.read_into(view, self._start + start)

    def stream(self) -> BinaryIO:
        return cast(BinaryIO, io.BufferedReader(_WindowStream(self)))

    def close(self) -> None:
        """The file stays open."""


class _WindowStream(io.RawIOBase):
    def __init__(self, window: Window) -> None:
        self._window, self._at = window, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._window.size}[whence]
        if at < 0:
            raise ValueError(f"position {at} is before the start")
        self._at = at
        return at

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        count = max(0, min(len(view), self._window.size - self._at))
        self._window.read_into(view[:count], self._at)
        self._at += count
        return count
