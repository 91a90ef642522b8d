"""Storages: ranges of files that tensors are windows into."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from migrate.errors import Unusable
from migrate.weights.readers.copying import Span, read_span, sum_span
from migrate.weights.readers.files import COPY_AGAIN
from migrate.weights.readers.pickled import Malformed
from migrate.weights.readers.tensor import TensorRef

if TYPE_CHECKING:
    import numpy as np

REUSED = 1 << 20
"""Bytes of a tensor from which on its memory is kept for the next."""
LARGEST_EXPANDED = 1 << 30
"""Bytes that a tensor with overlapping strides may become when it is more than its storage holds."""


@dataclass
class Storages:
    """Loads tensors out of ranges of files.

    spans:      storage's key -> where it lies.
    big_endian: its elements are the other way round.
    """

    spans: dict[str, Span]
    big_endian: bool = False

    def __post_init__(self) -> None:
        self._verified: set[str] = set()
        self._memory: np.ndarray | None = None

    def load(self, tensor: TensorRef) -> np.ndarray:
        """The values of ``tensor``, C-contiguous. Raises Unusable when the storage's CRC does not match."""
        import numpy as np

        raw = self._read(tensor)
        itemsize = tensor.itemsize
        if self.big_endian:
            half = 2 if tensor.dtype.kind == "c" else 1
            raw = raw.view(f"u{itemsize // half}").byteswap().view(np.uint8)
        array = raw.view(tensor.dtype)
        if tensor.contiguous:
            array = array.reshape(tensor.shape)
        else:
            strides = [stride * itemsize for stride in tensor.strides]
            array = np.ascontiguousarray(np.lib.stride_tricks.as_strided(array, tensor.shape, strides, writeable=False))
        if tensor.conj:
            array = np.conjugate(array)
        return np.negative(array) if tensor.neg else array

    def span(self, tensor: TensorRef) -> Span | None:
        """Where the tensor's bytes lie as they are written; None when they need bringing into order.

        Raises Unusable when they are a part of a storage whose CRC does not match.
        """
        turned = self.big_endian and tensor.itemsize > 1
        if turned or tensor.conj or tensor.neg or not tensor.contiguous:
            return None
        return self._part(tensor)

    def _part(self, tensor: TensorRef) -> Span:
        """The bytes of the storage that the tensor shows, first to last."""
        whole = self.spans[tensor.storage]
        itemsize = tensor.itemsize
        start, nbytes = tensor.offset * itemsize, tensor.extent * itemsize
        if nbytes == whole.nbytes:
            return whole
        if nbytes and whole.crc is not None and tensor.storage not in self._verified:
            compare(whole, sum_span(whole))
            self._verified.add(tensor.storage)
        return Span(whole.file, whole.start + start, nbytes, None, whole.what)

    def _read(self, tensor: TensorRef) -> np.ndarray:
        part = self._part(tensor)
        buffer = self._room(part.nbytes)
        compare(part, read_span(part, buffer.data))
        return buffer

    def _room(self, nbytes: int) -> np.ndarray:
        """Memory for a tensor; that of the one before, once nobody holds it any more.

        The system gives fresh pages filled with zeros, and that takes several times as long as reading into old ones.
        """
        import numpy as np

        if nbytes < REUSED:
            return np.empty(nbytes, np.uint8)
        # Two references are this attribute and the argument itself; each view of the memory has one.
        if self._memory is None or self._memory.nbytes < nbytes or sys.getrefcount(self._memory) > 2:
            self._memory = None  # so that both are not there at once
            self._memory = np.empty(nbytes, np.uint8)
        return self._memory[:nbytes]


def compare(span: Span, crc: int) -> None:
    """Raises Unusable unless this is the CRC that was recorded."""
    if span.crc is not None and crc != span.crc:
        raise Unusable(
            f"{span.file.name}: {span.what} is damaged: CRC {crc:08x}, recorded was {span.crc:08x}", COPY_AGAIN
        )


def within(tensor: TensorRef, nbytes: int) -> TensorRef:
    """The tensor, which lies within its storage of ``nbytes``. Raises Malformed when it does not."""
    if tensor.size and (tensor.offset + tensor.extent) * tensor.itemsize > nbytes:
        raise Malformed(
            f"a tensor of shape {tensor.shape}, strides {tensor.strides} from {tensor.offset} ends past its storage"
            f" {tensor.storage!r} of {nbytes} bytes"
        )
    if tensor.nbytes > max(nbytes, LARGEST_EXPANDED):
        raise Malformed(f"a tensor of shape {tensor.shape} expands a storage of {nbytes} bytes")
    return tensor
