"""``.pdparams``: a pickle of name -> numpy array, as paddle.load reads it. Loaded by path; imports no paddle.

Pickling a dictionary of arrays takes twice its size in memory, so the opcodes are written here, one array at a time.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

SUFFIX = ".pdparams"
FOLDER = False

# dtype -> numpy's code for the stored bytes. Paddle keeps bfloat16 as uint16, and reads any uint16 as bfloat16.
CODES = {
    "float16": "f2",
    "bfloat16": "u2",
    "float32": "f4",
    "float64": "f8",
    "complex64": "c8",
    "complex128": "c16",
    "int8": "i1",
    "int16": "i2",
    "int32": "i4",
    "int64": "i8",
    "uint8": "u1",
    "bool": "b1",
}

PROTOCOL = b"\x80\x04"
MARK, TUPLE, TUPLE1, TUPLE2, TUPLE3, REDUCE, BUILD, NONE = b"(", b"t", b"\x85", b"\x86", b"\x87", b"R", b"b", b"N"
TRUE, FALSE, EMPTY_DICT, SETITEM, STOP, MEMOIZE = b"\x88", b"\x89", b"}", b"s", b".", b"\x94"
BINBYTES8 = b"\x8e"
# numpy.core: numpy 2 still knows the name, numpy 1 does not know numpy._core.
RECONSTRUCT = b"cnumpy.core.multiarray\n_reconstruct\n"
NDARRAY = b"cnumpy\nndarray\n"
DTYPE = b"cnumpy\ndtype\n"


def refuses(entry: Any) -> str:
    """Why the format cannot hold the entry (name, shape, dtype); empty when it can."""
    if entry.dtype.name == "uint16":
        return "paddle.load reads uint16 as bfloat16"
    if entry.dtype.name not in CODES:
        return f"paddle.load does not give {entry.dtype.name} back"
    return ""


class Writer:
    """Appends name after name to the pickle of a dictionary. path: to be written."""

    def __init__(self, path: Path, entries: Sequence[Any]) -> None:
        self._file = path.open("wb", buffering=0)
        self._file.write(PROTOCOL + EMPTY_DICT)

    def begin(self, entry: Any) -> BinaryIO:
        """All but the bytes of _reconstruct(ndarray, (0,), b"b") and its state (1, shape, dtype, False, bytes)."""
        shape = b"".join(map(_integer, entry.shape))
        self._file.write(
            _text(entry.name)
            + (RECONSTRUCT + NDARRAY + _integer(0) + TUPLE1 + b"C\x01b" + TUPLE3 + REDUCE)
            + (MARK + _integer(1) + MARK + shape + TUPLE + _dtype(CODES[entry.dtype.name]) + FALSE)
            + (BINBYTES8 + struct.pack("<Q", entry.nbytes))
        )
        return self._file

    def end(self, entry: Any, crc: int) -> None:
        self._file.write(TUPLE + BUILD + SETITEM)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._file.write(STOP)
        self._file.close()


def _dtype(code: str) -> bytes:
    """dtype(code, False, True) and its state (3, byte order, None, None, None, -1, -1, 0)."""
    order = "|" if code[1:] == "1" else "<"
    return (DTYPE + _text(code) + FALSE + TRUE + TUPLE3 + REDUCE) + (
        MARK + _integer(3) + _text(order) + NONE * 3 + _integer(-1) * 2 + _integer(0) + TUPLE + BUILD
    )


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(data)) + data


def _integer(value: int) -> bytes:
    if -(1 << 31) <= value < 1 << 31:
        return b"J" + struct.pack("<i", value)
    return b"\x8a\x08" + struct.pack("<q", value)
