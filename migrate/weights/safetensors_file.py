"""``.safetensors``: a JSON header with every tensor's byte range, then the bytes.

The library's ``save_file`` wants all tensors in memory, and refuses tied ones; this writes one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from migrate.weights.carry import Entry

SUFFIX = ".safetensors"
FOLDER = False
DTYPES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
    "float8_e8m0fnu": "F8_E8M0",
    "complex64": "C64",
    "int64": "I64",
    "int32": "I32",
    "int16": "I16",
    "int8": "I8",
    "uint64": "U64",
    "uint32": "U32",
    "uint16": "U16",
    "uint8": "U8",
    "bool": "BOOL",
}
METADATA = "__metadata__"
LARGEST_HEADER = 100_000_000  # readers refuse more


def refuses(entry: Entry) -> str:
    """Why the format cannot hold the entry; empty when it can."""
    if entry.dtype.name not in DTYPES:
        return f"the format has no {entry.dtype.name}"
    return f"the name {METADATA} is the format's own" if entry.name == METADATA else ""


class Writer:
    """Writes the header at once and each tensor at its place. path: to be written."""

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None:
        # "format": "pt" says that layouts are torch's; loaders look for it.
        header: dict[str, object] = {METADATA: {"format": "pt"}}
        self._offsets: dict[str, int] = {}
        offset = 0
        # Widest elements first, so that each tensor is aligned to its own.
        for entry in sorted(entries, key=lambda entry: -entry.dtype.itemsize):
            end = offset + entry.nbytes
            dtype = DTYPES[entry.dtype.name]
            header[entry.name] = {"dtype": dtype, "shape": list(entry.shape), "data_offsets": [offset, end]}
            self._offsets[entry.name] = offset
            offset = end
        text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
        text += b" " * (-len(text) % 8)
        if len(text) > LARGEST_HEADER:
            raise ValueError(f"the header has {len(text)} bytes, readers take {LARGEST_HEADER}")
        self._file = path.open("wb")
        self._file.write(len(text).to_bytes(8, "little") + text)
        self._start = 8 + len(text)

    def add(self, name: str, array: np.ndarray) -> None:
        """Writes the array at its place, in C order, little-endian."""
        self._file.seek(self._start + self._offsets[name])
        self._file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
