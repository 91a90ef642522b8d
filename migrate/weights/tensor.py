"""A tensor in a checkpoint: where its bytes lie, and how to load them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from migrate.weights.copying import Span

# torch's dtype -> numpy's, with ml_dtypes where numpy has none.
DTYPES: Mapping[str, np.dtype] = {
    **{
        name: np.dtype(name)
        for name in (
            *("float16", "float32", "float64", "complex64", "complex128"),
            *("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bool"),
        )
    },
    **{
        name: np.dtype(getattr(ml_dtypes, name))
        for name in ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu")
    },
}


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

    dtype:     numpy's, ml_dtypes' for bfloat16 and fp8.
    shape:     in elements; strides and offset likewise, from the start of its storage.
    storage:   key of the storage that holds it; tensors with one key share memory.
    conj, neg: torch left the conjugation / negation to be done on reading.
    parameter: saved as an ``nn.Parameter``.
    """

    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    storage: str
    reader: Reader = field(repr=False, compare=False)
    conj: bool = False
    neg: bool = False
    parameter: bool = field(default=False, compare=False)

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the tensor when contiguous."""
        return self.size * self.dtype.itemsize

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
