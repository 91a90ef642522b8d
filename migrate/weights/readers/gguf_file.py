"""``.gguf``: llama.cpp's format, of which the tensors that are not quantized are read.

The gguf library's reader believes an array's length: a file of a hundred bytes keeps it busy until memory ends.
Here every count is held against the file's size.
"""

from __future__ import annotations

import struct
from math import prod
from typing import Any, BinaryIO

from migrate.errors import Unusable
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.copying import Span
from migrate.weights.readers.files import COPY_AGAIN, File
from migrate.weights.readers.pickled import Malformed
from migrate.weights.readers.storages import Storages
from migrate.weights.readers.tensor import TensorRef, Unreadable

VERSIONS = (2, 3)
MOST_ITEMS = 4 << 20
"""Of metadata, tensors, and strings in arrays: each is looked at."""
LONGEST_NAME = 1 << 16
MOST_AXES = 8
STRING, ARRAY, UINT32 = 8, 9, 4
WIDTHS = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Type of a value in the metadata -> its bytes."""
ALIGNMENT = "general.alignment"
# Numbers of ggml's types.
PLAIN = {
    **{0: "float32", 1: "float16", 24: "int8", 25: "int16", 26: "int32", 27: "int64", 28: "float64", 30: "bfloat16"}
}
QUANTIZED = {
    **{2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 9: "Q8_1", 10: "Q2_K", 11: "Q3_K", 12: "Q4_K"},
    **{13: "Q5_K", 14: "Q6_K", 15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S", 20: "IQ4_NL"},
    **{21: "IQ3_S", 22: "IQ2_S", 23: "IQ4_XS", 29: "IQ1_M", 34: "TQ1_0", 35: "TQ2_0", 39: "MXFP4"},
}


def read(file: File) -> Checkpoint:
    """Raises Unusable."""
    try:
        with file.stream() as stream:
            return _Header(file, stream).read()
    except (Malformed, UnicodeDecodeError) as error:
        raise Unusable(f"{file.name}: is malformed: {error}", COPY_AGAIN) from None


class _Header:
    def __init__(self, file: File, stream: BinaryIO) -> None:
        self.file, self.stream = file, stream
        self.left = MOST_ITEMS

    def read(self) -> Checkpoint:
        _magic, version, tensors, fields = self.unpack("<4sIQQ")
        if version not in VERSIONS:
            raise Malformed(f"version {version} is not known, only {' and '.join(map(str, VERSIONS))}")
        metadata = {}
        for _ in range(self.count(fields)):
            key = self.text()
            metadata[key] = self.value(self.unpack("<I")[0])
        found: dict[str, tuple[tuple[int, ...], int, int]] = {}
        for _ in range(self.count(tensors)):
            name = self.text()
            (axes,) = self.unpack("<I")
            if axes > MOST_AXES:
                raise Malformed(f"tensor {name!a} has {axes} axes")
            *shape, kind, offset = self.unpack(f"<{axes}QIQ")
            if name in found:
                raise Malformed(f"tensor {name!a} is there twice")
            found[name] = (tuple(reversed(shape)), kind, offset)  # ggml's first axis is the fastest
        alignment = metadata.get(ALIGNMENT, 32)
        if not isinstance(alignment, int) or alignment < 1:
            raise Malformed(f"its {ALIGNMENT} is {alignment!a}")
        start = -(-self.stream.tell() // alignment) * alignment
        storages = Storages({})
        tree = {name: self.tensor(name, *about, start, storages) for name, about in found.items()}
        architecture = metadata.get("general.architecture")
        notes = [f"names are llama.cpp's ({architecture!a}); {len(metadata)} fields of metadata are not carried"]
        return Checkpoint(self.file.name, "GGUF", tree, notes=notes, unchecked=True)

    def tensor(
        self, name: str, shape: tuple[int, ...], kind: int, offset: int, start: int, storages: Storages
    ) -> TensorRef | Unreadable:
        if kind not in PLAIN:
            of = QUANTIZED.get(kind, f"type {kind}")
            return Unreadable(f"quantized as {of}", "take the file with F32, F16 or BF16 weights")
        strides = tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))
        tensor = TensorRef(PLAIN[kind], shape, strides, 0, name, storages)
        if start + offset + tensor.nbytes > self.file.size:
            raise Malformed(f"tensor {name!a} ends past the file's end")
        storages.spans[name] = Span(self.file, start + offset, tensor.nbytes, None, f"tensor {name!a}")
        return tensor

    def count(self, items: int) -> int:
        self.left -= items
        if self.left < 0:
            raise Malformed(f"it announces {items:,} items, too many to be true")
        return items

    def unpack(self, layout: str) -> tuple[Any, ...]:
        data = self.stream.read(struct.calcsize(layout))
        if len(data) < struct.calcsize(layout):
            raise Malformed("it ends within its header")
        return struct.unpack(layout, data)

    def skip(self, nbytes: int) -> None:
        if self.stream.tell() + nbytes > self.file.size:
            raise Malformed("it ends within its header")
        self.stream.seek(nbytes, 1)

    def text(self) -> str:
        (length,) = self.unpack("<Q")
        if length > LONGEST_NAME:
            raise Malformed(f"a name of {length:,} bytes")
        return str(self.unpack(f"<{length}s")[0].decode())

    def value(self, kind: int) -> Any:
        """An integer or a short string; None for what nothing here asks for."""
        if kind == STRING:
            (length,) = self.unpack("<Q")
            if length > LONGEST_NAME:
                self.skip(length)
                return None
            return self.unpack(f"<{length}s")[0].decode("utf-8", "replace")
        if kind == ARRAY:
            of, items = self.unpack("<IQ")
            if of in WIDTHS:
                self.skip(WIDTHS[of] * items)
            elif of == STRING:
                for _ in range(self.count(items)):
                    self.skip(self.unpack("<Q")[0])
            else:
                raise Malformed(f"an array of type {of}")
            return None
        if kind not in WIDTHS:
            raise Malformed(f"a value of type {kind}")
        (data,) = self.unpack(f"<{WIDTHS[kind]}s")
        return int.from_bytes(data, "little") if kind == UINT32 else None
