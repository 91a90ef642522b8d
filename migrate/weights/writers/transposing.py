"""Writes an array in C order, whatever the order of its strides, without a second one in memory."""

from __future__ import annotations

import numpy as np
from isal.isal_zlib import crc32, crc32_combine

from migrate.weights.readers.copying import chunks, scratch, summed, write_all

BLOCK, LARGEST_BLOCK = 2 << 20, 16 << 20
"""Bytes that are brought into order at once: they fit into a processor's cache, unless rows are long."""
FEWEST_ROWS = 32
"""Rows of a block: fewer would use a small part of each cache line that is read."""
TILE = (128, 512)
"""Rows and columns of the result that are transposed at once, through a copy of them: its rows are PADDED apart, while
those of a matrix whose width is a power of two would fall on one another in the cache. Row by row, with a cache line
fetched per element, takes six times as long."""
PADDED = 64


def write_array(array: np.ndarray, descriptor: int, at: int) -> int:
    """Write the array's bytes in C order to an open file, from ``at`` on; their CRC-32. Raises OSError."""
    if array.flags.c_contiguous:
        view = array.reshape(-1).view(np.uint8).data

        def plain(start: int, end: int) -> int:
            write_all(descriptor, view[start:end], at + start)
            return crc32(view[start:end])

        return summed(chunks(array.nbytes), plain)

    width = array.nbytes // len(array)  # of a row, in bytes
    if width > LARGEST_BLOCK:
        total = 0
        for index, row in enumerate(array):
            total = crc32_combine(total, write_array(row, descriptor, at + index * width), width)
        return total
    block = max(BLOCK, min(FEWEST_ROWS * width, LARGEST_BLOCK))

    def ordered(start: int, end: int) -> int:
        rows = array[start // width : end // width]
        buffer = scratch(rows.nbytes)
        copy_in_order(rows, np.frombuffer(buffer, rows.dtype).reshape(rows.shape))
        write_all(descriptor, buffer, at + start)
        return crc32(buffer)

    return summed(chunks(array.nbytes, block // width * width), ordered)


def copy_in_order(source: np.ndarray, target: np.ndarray) -> None:
    """Copy a strided array into a contiguous one of its shape and dtype."""
    if source.dtype.kind == "V":  # ml_dtypes' types are copied element by element; integers of their width are not
        source, target = source.view(f"u{source.itemsize}"), target.view(f"u{source.itemsize}")
    if source.ndim != 2:
        target[...] = source
        return
    tile = np.empty((TILE[1], TILE[0] + PADDED // source.itemsize), source.dtype)
    for row in range(0, source.shape[0], TILE[0]):
        for column in range(0, source.shape[1], TILE[1]):
            part = np.s_[row : row + TILE[0], column : column + TILE[1]]
            piece = source[part].T
            copy = tile[: piece.shape[0], : piece.shape[1]]
            copy[...] = piece
            target[part] = copy.T
