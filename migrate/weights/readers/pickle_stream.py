"""A pickle's bytes, so many of them and no more; long ones are left where they are."""

from __future__ import annotations

import io
from typing import BinaryIO

from migrate.weights.readers.pickle_values import Blob, Malformed

LARGEST_PICKLE = 256 << 20
"""Bytes of a pickle; that of ten thousand tensors has a few megabytes."""
LARGEST_BYTES = 1 << 20
"""Of a bytes object that is kept; a larger one becomes a Blob."""
# Opcodes of bytes that may be long -> bytes that say how long.
LENGTHS = {ord("B"): 4, 0x8E: 8, 0x96: 8}


class Bounded:
    """What pickletools' readers of arguments ask of a file, for so many bytes in all."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.left = stream, LARGEST_PICKLE

    def read(self, count: int) -> bytes:
        if count > self.left:
            raise Malformed(f"it has more than {LARGEST_PICKLE:,} bytes, too many to be one")
        self.left -= count
        return self.stream.read(count)

    def readline(self) -> bytes:
        line = self.stream.readline(LARGEST_BYTES)
        self.left -= len(line)
        if self.left < 0:
            raise Malformed(f"it has more than {LARGEST_PICKLE:,} bytes, too many to be one")
        return line

    def blob(self, opcode: int) -> bytes | Blob:
        """The argument of an opcode that says the length of its bytes first."""
        width = LENGTHS[opcode]
        head = self.read(width)
        count = int.from_bytes(head, "little")
        if len(head) < width:
            raise ValueError("its length is cut off")
        if count <= LARGEST_BYTES:
            data = self.read(count)
            if len(data) < count:
                raise ValueError(f"{count} bytes are announced, {len(data)} are left")
            return data
        start = self.stream.tell()
        end = self.stream.seek(0, io.SEEK_END)
        if start + count > end:
            raise ValueError(f"{count} bytes are announced, {end - start} are left")
        self.stream.seek(start + count)
        return Blob(start, count)
