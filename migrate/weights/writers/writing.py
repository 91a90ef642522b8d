"""Hands tensors to a format's writer: bytes that stay are copied, others go through memory, one tensor at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, cast

import numpy as np
from isal.isal_zlib import crc32

from migrate.errors import Unusable
from migrate.weights.carry.move import Move
from migrate.weights.readers.copying import Span, copy_span, reserve
from migrate.weights.readers.storages import compare
from migrate.weights.writers.transposing import write_array
from rewriters.weights.checkpoint_format import ArrayWriter, ByteWriter, Entry


def write(
    writer: ByteWriter | ArrayWriter, moves: Sequence[Move], done: Callable[[int], None]
) -> Iterator[tuple[Move, list[int]]]:
    """Write the entries of the moves; of each move the CRC-32s of its entries' bytes.

    done: called with the number of bytes, each time some are written.

    Raises Unusable for damaged input, and OSError where the output cannot be written.
    """
    put = _Arrays(cast(ArrayWriter, writer)) if hasattr(writer, "add") else _Bytes(writer)
    written: dict[str, int] = {}  # entry -> CRC
    for move in moves:
        try:
            for entry, crc in _write(put, move, written):
                written[entry.name] = crc
                done(entry.nbytes)
        except MemoryError:
            raise Unusable(f"{move.source}: there is not enough memory for it", "close other programs") from None
        yield move, [written[entry.name] for entry in move.entries]


def _write(put: _Bytes | _Arrays, move: Move, written: dict[str, int]) -> Iterator[tuple[Entry, int]]:
    own = [entry for entry in move.entries if not (put.tie and entry.same_as)]
    if own and move.copies and isinstance(put, _Bytes) and (span := move.copies.span()):
        for entry in own:
            yield entry, put.span(entry, span)
    elif own:
        for entry, array in move.load():
            if array.dtype != entry.dtype or array.size * array.itemsize != entry.nbytes:
                raise AssertionError(f"{entry} was announced, {array.dtype} {array.shape} came")
            if entry in own:
                yield entry, put.array(entry, array.reshape(entry.shape))
    if put.tie:
        for entry in move.entries:
            if entry.same_as:
                put.tie(entry)
                yield entry, written[entry.same_as]


class _Bytes:
    """Into a writer that only says where bytes go."""

    def __init__(self, writer: ByteWriter) -> None:
        self.writer = writer
        self.tie: Callable[[Entry], None] | None = getattr(writer, "tie", None)

    def span(self, entry: Entry, span: Span) -> int:
        def put(file: BinaryIO) -> int:
            crc = copy_span(span, file.fileno(), file.tell())
            compare(span, crc)
            return crc

        return self._put(entry, put)

    def array(self, entry: Entry, array: np.ndarray) -> int:
        return self._put(entry, lambda file: write_array(array, file.fileno(), file.tell()))

    def _put(self, entry: Entry, put: Callable[[BinaryIO], int]) -> int:
        file = self.writer.begin(entry)
        at = file.tell()
        reserve(file.fileno(), at, entry.nbytes)
        crc = put(file)
        file.seek(at + entry.nbytes)
        self.writer.end(entry, crc)
        return crc


class _Arrays:
    """Into a writer that wants arrays."""

    def __init__(self, writer: ArrayWriter) -> None:
        self.writer = writer
        self.tie: Callable[[Entry], None] | None = getattr(writer, "tie", None)

    def array(self, entry: Entry, array: np.ndarray) -> int:
        self.writer.add(entry, array)
        return crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
