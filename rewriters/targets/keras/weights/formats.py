"""``.weights.h5``: HDF5 with the variables of each layer under its path, as Model.load_weights reads it.

Loaded by path; imports no keras, but h5py where it is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from rewriters.weights.checkpoint_format import Stored

SUFFIX = ".weights.h5"
FOLDER = False
LOAD = "model.load_weights({path!r})  # when it is built: called once, or given its input's shape"
NEEDS = "h5py"  # the package that it is written with

BFLOAT16 = "bfloat16"  # numpy has none: its bytes, and an attribute that says so
LOADED = {
    *("float16", "float32", "float64", BFLOAT16, "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
}


def refuses(entry: Any) -> str:
    """Why load_weights does not give the entry back as it is; empty when it does."""
    return "" if entry.dtype.name in LOADED else f"Keras does not load {entry.dtype.name}"


class Writer:
    """Writes one dataset a variable. path: to be written."""

    def __init__(self, path: Path, entries: Sequence[Any]) -> None:
        import h5py  # type: ignore[import-untyped]

        # Without times the same weights give the same bytes.
        self._file = h5py.File(path, "w", libver=("earliest", "v110"), track_order=False)

    def add(self, entry: Any, array: np.ndarray[Any, Any]) -> None:
        """Writes the array, in C order."""
        data = np.ascontiguousarray(array).reshape(entry.shape)
        if entry.dtype.name == BFLOAT16:
            self._file.create_dataset(entry.name, data=data.view("V2"), track_times=False).attrs["dtype"] = BFLOAT16
        else:
            self._file.create_dataset(entry.name, data=data, track_times=False)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()


def read_output(path: Path) -> Iterator[Stored]:
    """What a file of Writer, or of Keras, holds."""
    import h5py
    import ml_dtypes

    with h5py.File(path, "r") as file:
        names: list[str] = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        for name in names:
            item = file[name]
            dtype = np.dtype(ml_dtypes.bfloat16) if item.attrs.get("dtype") == BFLOAT16 else item.dtype
            start = item.id.get_offset()
            if start is None:  # in chunks, or without any bytes
                yield Stored(name, item.shape, dtype, array=np.asarray(item).view(dtype))
            else:
                yield Stored(name, item.shape, dtype, path, start)
