"""A folder with a ``.npy`` for each tensor: ``numpy.load(path, mmap_mode="r")`` maps one without reading it."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, unquote

import numpy as np

from rewriters.weights.checkpoint_format import Entry

SUFFIX = ".npy.d"
FOLDER = True
FILES = ".npy"
SAFE = " !'()+,-.=@[]^_{}~"
"""Characters of a file's name besides letters and digits; others are written as in URLs (%2F)."""
LONGEST_NAME = 255


def refuses(entry: Entry) -> str:
    """Why the format cannot hold the entry; empty when it can."""
    if entry.dtype.type.__module__ != "numpy":
        return f"numpy has no {entry.dtype.name}"
    if len(file_of(entry.name)) > LONGEST_NAME:
        return "its name is too long for a file's"
    return ""


def ours(path: Path) -> bool:
    """True for a folder of ``.npy`` with nothing else in it."""
    return all(name.endswith(FILES) for name in os.listdir(path))


def file_of(name: str) -> str:
    """The file that the tensor of this name is written to."""
    return quote(name, safe=SAFE) + FILES


def name_of(filename: str) -> str:
    """The tensor in the file of this name."""
    return unquote(filename.removesuffix(FILES))


def header(entry: Entry) -> bytes:
    """What a ``.npy`` begins with; a multiple of 64 bytes, so that the data are aligned."""
    stream = io.BytesIO()
    about = {"descr": np.lib.format.dtype_to_descr(entry.dtype), "fortran_order": False, "shape": entry.shape}
    np.lib.format.write_array_header_1_0(stream, about)
    return stream.getvalue()


class Writer:
    """path: of the new folder."""

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        path.mkdir()

    def begin(self, entry: Entry) -> BinaryIO:
        self._file = (self._path / file_of(entry.name)).open("wb", buffering=0)
        self._file.write(header(entry))
        return self._file

    def end(self, entry: Entry, crc: int) -> None:
        assert self._file
        self._file.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file:
            self._file.close()
