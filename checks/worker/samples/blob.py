"""Many small arrays in one file, each found by where it lies.

A proof has some hundred thousand arrays; a file for each would be most of the work.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, List

import numpy as np

Place = List[Any]


class Writer:
    """Appends arrays to a file; equal arrays written through one writer lie there once."""

    def __init__(self, path: str | Path) -> None:
        self.file = open(path, "ab")  # noqa: SIM115 - closed by close()
        self.known: dict[bytes, Place] = {}

    def add(self, array: Any) -> Place:
        """Where the array now lies."""
        array = np.asarray(array)
        if array.dtype.kind not in "biufc":
            raise TypeError(f"no array of {array.dtype} can be written")
        data = array.tobytes()  # C order, whatever the array's own is
        key = data + str((array.dtype.str, array.shape)).encode()
        if key not in self.known:
            self.known[key] = [self.file.tell(), array.dtype.str, list(array.shape)]
            self.file.write(data)
        return self.known[key]

    def flush(self) -> None:
        self.file.flush()

    def close(self) -> None:
        self.file.close()


class Reader:
    """Gives arrays back; they are views of the file's bytes, and not to be written to."""

    def __init__(self, path: str | Path) -> None:
        self.data = Path(path).read_bytes()

    def get(self, place: Place) -> Any:
        offset, dtype, shape = place
        count = 1
        for size in shape:
            count *= size
        return np.frombuffer(self.data, np.dtype(dtype), count, offset).reshape(shape)
