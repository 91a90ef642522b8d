"""Bytes from where they lie to where they go: in chunks, by a few threads, with their CRC-32 on the way.

Each chunk is read, summed and written while it is in the processor's cache, so the sum costs next to nothing, and what
is written is what was summed. Nothing larger than a chunk per thread is held.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from isal.isal_zlib import crc32, crc32_combine  # four times as fast as zlib's

from migrate.weights.readers.files import File

CHUNK = 1 << 19  # half of a core's cache
THREADS = min(4, os.cpu_count() or 1)

WORTH_RESERVING = 1 << 20
# The call itself, not posix_fallocate: where the file system cannot, that one writes to every block.
_fallocate = getattr(ctypes.CDLL(None, use_errno=True), "fallocate", None) if sys.platform == "linux" else None

_threads = ThreadPoolExecutor(max(1, THREADS - 1), thread_name_prefix="migrate-weights")
_local = threading.local()


@dataclass(frozen=True)
class Span:
    """Bytes of a file.

    crc:  their CRC-32 where it is recorded.
    what: they are, for messages.
    """

    file: File
    start: int
    nbytes: int
    crc: int | None = None
    what: str = ""


def scratch(nbytes: int) -> memoryview:
    """A buffer of the calling thread; the next call gives the same one again."""
    buffer: memoryview | None = getattr(_local, "buffer", None)
    if buffer is None or len(buffer) < nbytes:
        buffer = _local.buffer = memoryview(bytearray(nbytes))
    return buffer[:nbytes]


def summed(ranges: Iterable[tuple[int, int]], one: Callable[[int, int], int], parallel: bool = True) -> int:
    """The CRC-32 of all ranges (start, end), one after another; ``one`` gives that of each, in any thread."""
    ranges = list(ranges)
    sums = [0] * len(ranges)
    turns = iter(range(len(ranges)))  # each thread takes the next
    failed = threading.Event()

    def work() -> None:
        try:
            for turn in turns:
                if failed.is_set():
                    return
                sums[turn] = one(*ranges[turn])
        except BaseException:
            failed.set()
            raise

    # Handing a single one to a thread would take longer than doing it.
    helpers = min(THREADS, len(ranges)) - 1 if parallel else 0
    futures = [_threads.submit(work) for _ in range(helpers)]
    try:
        work()
    finally:  # after an error too: none may write to a descriptor that is closed meanwhile
        wait(futures)
    for future in futures:
        future.result()
    total = 0
    for (start, end), crc in zip(ranges, sums, strict=True):
        total = crc32_combine(total, crc, end - start)
    return total


def chunks(nbytes: int, size: int = CHUNK) -> Iterator[tuple[int, int]]:
    """(start, end) of the parts of ``nbytes``."""
    return ((start, min(start + size, nbytes)) for start in range(0, nbytes, size))


def copy_span(span: Span, descriptor: int, at: int) -> int:
    """Copy the bytes to an open file, from ``at`` on; their CRC-32. Raises Unusable or OSError."""

    return _sum(span, lambda view, start: write_all(descriptor, view, at + start))


def read_span(span: Span, view: memoryview) -> int:
    """Read the bytes into memory of their number; their CRC-32. Raises Unusable."""

    def one(start: int, end: int) -> int:
        span.file.read_into(view[start:end], span.start + start)
        return crc32(view[start:end])

    return summed(chunks(span.nbytes), one, span.file.parallel)


def sum_span(span: Span) -> int:
    """The CRC-32 of the bytes. Raises Unusable."""
    return _sum(span, lambda view, start: None)


def _sum(span: Span, use: Callable[[memoryview, int], None]) -> int:
    """The CRC-32 of the bytes, of which ``use`` gets each chunk and where in the span it starts."""

    def one(start: int, end: int) -> int:
        view = scratch(end - start)
        span.file.read_into(view, span.start + start)
        use(view, start)
        return crc32(view)

    return summed(chunks(span.nbytes), one, span.file.parallel)


def reserve(descriptor: int, at: int, nbytes: int) -> None:
    """Have the file system find room for bytes that are about to be written: writing them takes less time
    then, and a full disk is known before. Raises OSError when there is no room.
    """
    if _fallocate is None or nbytes < WORTH_RESERVING:
        return
    if _fallocate(descriptor, 0, ctypes.c_int64(at), ctypes.c_int64(nbytes)) == 0:
        return
    code = ctypes.get_errno()
    if code not in (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EINTR, errno.ENODEV):
        raise OSError(code, os.strerror(code))


def write_all(descriptor: int, view: memoryview, at: int) -> None:
    """Write the bytes at a position of an open file. Raises OSError."""
    done = 0
    while done < len(view):
        done += os.pwrite(descriptor, view[done:], at + done)
