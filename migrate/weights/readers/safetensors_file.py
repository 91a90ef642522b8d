"""``.safetensors``: a JSON header with every tensor's byte range, then the bytes.

The library's ``save_file`` wants all tensors in memory, and refuses tied ones; this writes ranges of files.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from migrate.errors import Unusable
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.copying import Span
from migrate.weights.readers.files import COPY_AGAIN, File
from migrate.weights.readers.pickled import Malformed
from migrate.weights.readers.storages import Storages
from migrate.weights.readers.tensor import TensorRef, Unreadable
from migrate.weights.readers.torch_pickle import naturals
from rewriters.weights.checkpoint_format import Entry

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
LENGTH = struct.Struct("<Q")
LARGEST_HEADER = 100_000_000  # other readers refuse more
LARGEST_READ = 32 << 20
"""Bytes of a header that are read: a quarter of a million tensors. Objects made of JSON take a multiple of it."""


def refuses(entry: Entry) -> str:
    """Why the format cannot hold the entry; empty when it can."""
    if entry.dtype.name not in DTYPES:
        return f"the format has no {entry.dtype.name}"
    return f"the name {METADATA} is the format's own" if entry.name == METADATA else ""


TORCHS: Mapping[str, str] = MappingProxyType({"format": "pt"})
"""Says that layouts are torch's; loaders look for it."""


class Writer:
    """Writes the header at once and leaves each tensor its place. path: to be written.

    metadata: of the header.
    """

    def __init__(self, path: Path, entries: Sequence[Entry], metadata: Mapping[str, str] = TORCHS) -> None:
        header: dict[str, object] = {METADATA: dict(metadata)}
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
            raise Unusable(
                f"{path}: the header would have {len(text):,} bytes, readers take {LARGEST_HEADER:,}",
                "give --shard-size",
            )
        self._file = path.open("wb", buffering=0)
        self._file.write(LENGTH.pack(len(text)) + text)
        self._start = LENGTH.size + len(text)

    def begin(self, entry: Entry) -> BinaryIO:
        self._file.seek(self._start + self._offsets[entry.name])
        return self._file

    def end(self, entry: Entry, crc: int) -> None:
        pass

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def looks_like_one(head: bytes, size: int) -> bool:
    """Whether a file that begins like this has a header's length and then a header."""
    return len(head) > LENGTH.size and head[8:9] == b"{" and 2 <= LENGTH.unpack_from(head)[0] <= size - LENGTH.size


def read(file: File) -> Checkpoint:
    """The checkpoint in a ``.safetensors``. Raises Unusable."""
    try:
        tensors, metadata = _header(file)
    except Malformed as error:
        raise Unusable(f"{file.name}: is malformed: {error}", COPY_AGAIN) from None
    if set(metadata) - {"format"}:
        tensors[METADATA] = metadata
    return Checkpoint(file.name, "safetensors", tensors, unchecked=True)


def _header(file: File) -> tuple[dict[str, Any], Any]:
    length = bytearray(LENGTH.size)
    file.read_into(memoryview(length), 0)
    size = LENGTH.unpack(length)[0]
    if size > LARGEST_READ:
        raise Malformed(f"its header has {size:,} bytes, too many to be one")
    text = bytearray(size)
    file.read_into(memoryview(text), LENGTH.size)
    try:
        header = json.loads(text.decode(), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"its header is no JSON: {error}") from None
    if not isinstance(header, dict):
        raise Malformed("its header is no JSON object")
    start, storages, tensors, ends = LENGTH.size + size, Storages({}), {}, []
    metadata = header.pop(METADATA, {})
    if not isinstance(metadata, dict):
        raise Malformed(f"its {METADATA} is no JSON object")
    for name, about in header.items():
        tensor, begin, end = _tensor(name, about, storages)
        if start + end > file.size:
            raise Malformed(f"{name!a} ends past the file's end")
        storages.spans[name] = Span(file, start + begin, end - begin, None, f"tensor {name!a}")
        ends.append((begin, end, name))
        tensors[name] = tensor
    _no_gaps(ends, file.size - start)
    return tensors, metadata


def _tensor(name: str, about: Any, storages: Storages) -> tuple[TensorRef | Unreadable, int, int]:
    """The tensor, and where its bytes begin and end."""
    if not isinstance(about, dict):
        raise Malformed(f"{name!a} has no dtype, shape and data_offsets")
    shape, offsets, dtype = about.get("shape"), about.get("data_offsets"), about.get("dtype")
    if not (naturals(shape) and naturals(offsets) and len(offsets) == 2 and offsets[0] <= offsets[1]):
        raise Malformed(f"{name!a} has no valid shape and data_offsets")
    begin, end = offsets
    known = {short: name for name, short in DTYPES.items()}.get(dtype) if isinstance(dtype, str) else None
    if known is None:
        return Unreadable(f"of dtype {dtype!a:.40}", "convert it before saving"), begin, end
    strides = tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))
    tensor = TensorRef(known, tuple(shape), strides, 0, name, storages)
    if tensor.nbytes != end - begin:
        raise Malformed(f"{name!a} has {end - begin} bytes, its shape and dtype need {tensor.nbytes}")
    return tensor, begin, end


def _no_gaps(ends: list[tuple[int, int, str]], size: int) -> None:
    at, before = 0, ""
    for begin, end, name in sorted(ends):
        if begin != at:
            what = "overlap" if begin < at else "have a gap between them"
            raise Malformed(f"{before!a} and {name!a} {what}")
        at, before = end, name
    if at != size:
        raise Malformed(f"{size - at} bytes belong to no tensor")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found
