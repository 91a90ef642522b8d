"""numpy's ``.npz``, written one array at a time."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from migrate.weights.carry import Entry

SUFFIX = ".npz"
FOLDER = False


def refuses(entry: Entry) -> str:
    """Why the format cannot hold the entry; empty when it can."""
    if entry.dtype.type.__module__ != "numpy":
        return f"numpy has no {entry.dtype.name}"
    if any(character in entry.name for character in "/\\\0"):
        return "its name would be a path in the archive"
    return ""


class Writer:
    """An archive of uncompressed ``.npy``, as numpy.savez writes it. path: to be written."""

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None:
        self._archive = zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True)

    def add(self, name: str, array: np.ndarray) -> None:
        """Appends the array, in C order."""
        # A fixed date: the same weights give the same bytes.
        info = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
        with self._archive.open(info, "w", force_zip64=True) as file:
            np.lib.format.write_array(file, np.ascontiguousarray(array).reshape(array.shape), allow_pickle=False)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()
