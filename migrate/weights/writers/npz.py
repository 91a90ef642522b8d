"""numpy's ``.npz``: a zip archive of uncompressed ``.npy``, as numpy.savez writes it.

zipfile wants to see the bytes; here only their CRC comes by, so the archive's records are written by hand.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from isal.isal_zlib import crc32, crc32_combine

from migrate.weights.readers.npy_folder import FILES, header
from rewriters.weights.checkpoint_format import Entry

SUFFIX = ".npz"
FOLDER = False

LOCAL = struct.Struct("<4s5H3L2H")
CENTRAL = struct.Struct("<4s6H3L5H2L")
END64 = struct.Struct("<4sQ2H2L4Q")
LOCATOR = struct.Struct("<4sLQL")
END = struct.Struct("<4s4H2LH")
VERSION = 45  # of zip: sizes of 64 bits
UTF8 = 0x800
DATE = 1 << 5 | 1  # 1980-01-01: the same weights give the same bytes
IN_EXTRA = 0xFFFFFFFF  # the size stands in the extra field


def refuses(entry: Entry) -> str:
    """Why the format cannot hold the entry; empty when it can."""
    if entry.dtype.type.__module__ != "numpy":
        return f"numpy has no {entry.dtype.name}"
    if any(character in entry.name for character in "/\\\0"):
        return "its name would be a path in the archive"
    return ""


class Writer:
    """path: to be written."""

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None:
        self._file = path.open("wb", buffering=0)
        self._directory: list[bytes] = []

    def begin(self, entry: Entry) -> BinaryIO:
        self._start = self._file.tell()
        self._file.write(self._local(entry, 0) + header(entry))
        return self._file

    def end(self, entry: Entry, crc: int) -> None:
        """The CRC is that of header and data: it is written over the blank that begin left for it."""
        after = self._file.tell()
        crc = crc32_combine(crc32(header(entry)), crc, entry.nbytes)
        self._file.seek(self._start)
        self._file.write(self._local(entry, crc))
        self._file.seek(after)
        name, size = _name(entry), len(header(entry)) + entry.nbytes
        extra = struct.pack("<2H3Q", 1, 24, size, size, self._start)
        fields = (VERSION, VERSION, UTF8, 0, 0, DATE, crc, IN_EXTRA, IN_EXTRA, len(name), len(extra), 0, 0, 0, 0)
        self._directory.append(CENTRAL.pack(b"PK\1\2", *fields, IN_EXTRA) + name + extra)

    def _local(self, entry: Entry, crc: int) -> bytes:
        name, size = _name(entry), len(header(entry)) + entry.nbytes
        extra = struct.pack("<2H2Q", 1, 16, size, size)
        fields = (VERSION, UTF8, 0, 0, DATE, crc, IN_EXTRA, IN_EXTRA, len(name), len(extra))
        return LOCAL.pack(b"PK\3\4", *fields) + name + extra

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            start, directory, count = self._file.tell(), b"".join(self._directory), len(self._directory)
            end = END64.pack(b"PK\6\6", 44, VERSION, VERSION, 0, 0, count, count, len(directory), start)
            end += LOCATOR.pack(b"PK\6\7", 0, start + len(directory), 1)
            end += END.pack(b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, IN_EXTRA, IN_EXTRA, 0)
            self._file.write(directory + end)
        self._file.close()


def _name(entry: Entry) -> bytes:
    return f"{entry.name}{FILES}".encode()
