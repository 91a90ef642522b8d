"""``.pdparams``: a pickle of name -> numpy array, as paddle.load reads it. Loaded by path; imports no paddle.

Pickling a dictionary of arrays takes twice its size in memory, so the opcodes are written here, one array at a time.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import ml_dtypes
import numpy as np

from rewriters.weights.checkpoint_format import Stored
from rewriters.weights.pickle_ops import Blob, Made, integer, read_pickle, text

SUFFIX = ".pdparams"
FOLDER = False
LOAD = "model.set_state_dict(paddle.load({path!r}))"

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
TRUE, FALSE, EMPTY_DICT, SETITEM, STOP, MEMOIZE, LONG_BINGET = b"\x88", b"\x89", b"}", b"s", b".", b"\x94", b"j"
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


class IN_SAFETENSORS:
    """The same tensors as loaders of a library's own read them, through safetensors.paddle."""

    LIKE = "safetensors"
    SUFFIX = ".paddle.safetensors"
    METADATA: ClassVar = {"format": "paddle"}
    LOAD = "from safetensors.paddle import load_file\n\nmodel.set_state_dict(load_file({path!r}))"

    @staticmethod
    def refuses(entry: Any) -> str:
        """As above."""
        return "" if entry.dtype.name in CODES else f"paddle has no {entry.dtype.name}"


class Writer:
    """Appends name after name to the pickle of a dictionary. path: to be written."""

    def __init__(self, path: Path, entries: Sequence[Any]) -> None:
        self._file = path.open("wb", buffering=0)
        self._file.write(PROTOCOL + EMPTY_DICT)
        self._tied = {entry.same_as for entry in entries}
        self._memo: dict[str, int] = {}

    def begin(self, entry: Any) -> BinaryIO:
        """All but the bytes of _reconstruct(ndarray, (0,), b"b") and its state (1, shape, dtype, False, bytes)."""
        shape = b"".join(map(integer, entry.shape))
        self._file.write(
            text(entry.name)
            + (RECONSTRUCT + NDARRAY + integer(0) + TUPLE1 + b"C\x01b" + TUPLE3 + REDUCE)
            + (MARK + integer(1) + MARK + shape + TUPLE + _dtype(CODES[entry.dtype.name]) + FALSE)
            + (BINBYTES8 + struct.pack("<Q", entry.nbytes))
        )
        return self._file

    def end(self, entry: Any, crc: int) -> None:
        self._file.write(TUPLE + BUILD)
        if entry.name in self._tied:
            self._memo[entry.name] = len(self._memo)
            self._file.write(MEMOIZE)
        self._file.write(SETITEM)

    def tie(self, entry: Any) -> None:
        """The very array of ``entry.same_as``, which came before, under another name."""
        number = struct.pack("<I", self._memo[entry.same_as])
        self._file.write(text(entry.name) + LONG_BINGET + number + SETITEM)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._file.write(STOP)
        self._file.close()


def _dtype(code: str) -> bytes:
    """dtype(code, False, True) and its state (3, byte order, None, None, None, -1, -1, 0)."""
    order = "|" if code[1:] == "1" else "<"
    return (DTYPE + text(code) + FALSE + TRUE + TUPLE3 + REDUCE) + (
        MARK + integer(3) + text(order) + NONE * 3 + integer(-1) * 2 + integer(0) + TUPLE + BUILD
    )


def read_output(path: Path) -> Iterator[Stored]:
    """The arrays of a ``.pdparams``, one that paddle.save wrote too. Nothing in it is executed.

    Raises ValueError where it holds something else.
    """
    saved = read_pickle(path)
    if not isinstance(saved, dict):
        raise ValueError("it holds no dictionary")
    for name, value in saved.items():
        if name == PARAMETER_NAMES:
            continue
        # paddle.save turns a Tensor into the pair of its global name and its array.
        array = value[1] if isinstance(value, tuple) and len(value) == 2 else value
        yield _stored(str(name), array, path)


PARAMETER_NAMES = "StructuredToParameterName@@"
CORES = {f"numpy.{core}.multiarray._reconstruct" for core in ("core", "_core")}


def _stored(name: str, array: Any, path: Path) -> Stored:
    if not (isinstance(array, Made) and array.by.name in CORES):
        raise ValueError(f"{name!a} is no array")
    _, shape, made_dtype, fortran, data = array.state
    code, order = made_dtype.args[0], made_dtype.state[1]
    codes = {code: known for known, code in CODES.items()}
    if code not in codes or order not in "<|=" or fortran or not all(isinstance(n, int) and n >= 0 for n in shape):
        raise ValueError(f"{name!a} is an array of a kind that is not read")
    known = codes[code]
    dtype = np.dtype(getattr(ml_dtypes, known, known))
    size = int(np.prod(shape, dtype=object)) * dtype.itemsize
    if not isinstance(data, (bytes, Blob)) or len(data) != size:
        raise ValueError(f"{name!a} does not have the {size} bytes of its shape")
    if isinstance(data, Blob):
        return Stored(name, shape, dtype, path, data.start)
    return Stored(name, shape, dtype, array=np.frombuffer(data, dtype).reshape(shape))
