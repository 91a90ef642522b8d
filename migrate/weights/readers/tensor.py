"""A tensor in a checkpoint: where its bytes lie, and how to load them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np  # by itself it takes longer to import than listing a checkpoint does

    from migrate.weights.readers.copying import Span

# dtype, under its name in torch and numpy or ml_dtypes -> bytes of an element.
ITEMSIZES: Mapping[str, int] = {
    **{"float16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16, "bool": 1, "bfloat16": 2},
    **{"uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "int8": 1, "int16": 2, "int32": 4, "int64": 8},
    **{"float8_e4m3fn": 1, "float8_e4m3fnuz": 1, "float8_e5m2": 1, "float8_e5m2fnuz": 1, "float8_e8m0fnu": 1},
}


@cache
def numpy_dtype(name: str) -> np.dtype:
    """numpy's dtype of one of ITEMSIZES, ml_dtypes' where numpy has none."""
    import ml_dtypes
    import numpy as np

    return np.dtype(getattr(ml_dtypes, name, name))


class Reader(Protocol):
    """What a tensor's bytes are read from."""

    def load(self, tensor: TensorRef) -> np.ndarray: ...


@runtime_checkable
class SpanReader(Reader, Protocol):
    """A reader that knows where in a file a tensor's bytes lie."""

    def span(self, tensor: TensorRef) -> Span | None:
        """They lie there as they are written, in C order and little-endian; else None."""


@dataclass(frozen=True)
class TensorRef:
    """A tensor that has not been loaded.

    kind:      the dtype's name.
    shape:     in elements; strides and offset likewise, from the start of its storage.
    storage:   key of the storage that holds it; tensors with one key share memory.
    conj, neg: torch left the conjugation / negation to be done on reading.
    parameter: saved as an ``nn.Parameter``.
    """

    kind: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    storage: str
    reader: Reader = field(repr=False, compare=False)
    conj: bool = False
    neg: bool = False
    parameter: bool = field(default=False, compare=False)

    @property
    def dtype(self) -> np.dtype:
        """numpy's; ml_dtypes' for bfloat16 and fp8."""
        return numpy_dtype(self.kind)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return ITEMSIZES[self.kind]

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the tensor when contiguous."""
        return self.size * self.itemsize

    @property
    def extent(self) -> int:
        """Elements of the storage from the first that the tensor shows to past the last."""
        if not self.size:
            return 0
        return 1 + sum((n - 1) * stride for n, stride in zip(self.shape, self.strides, strict=True))

    @property
    def contiguous(self) -> bool:
        """True when its bytes lie in the storage as numpy's C order has them."""
        expected = 1
        for n, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if n != 1 and stride != expected:
                return self.size == 0
            expected *= n
        return True

    def load(self) -> np.ndarray:
        """The tensor, C-contiguous and writable.

        Raises migrate.errors.Unusable when the bytes are damaged.
        """
        return self.reader.load(self)

    def span(self) -> Span | None:
        """Where its bytes lie, ready to be copied; None when they have to be brought into order.

        Raises migrate.errors.Unusable when they are a part of what is known to be damaged.
        """
        return self.reader.span(self) if isinstance(self.reader, SpanReader) else None


@dataclass(frozen=True)
class Unreadable:
    """A tensor of a kind that is not carried.

    kind: what torch calls it. mend: what to do before saving.
    """

    kind: str
    mend: str
