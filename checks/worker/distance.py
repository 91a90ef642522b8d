"""How far arrays stand apart, in one pass over blocks of them: a mapped array of any size costs a block of memory."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np

BLOCK = 1 << 16  # elements; what is computed with stays in the processor's cache

Array = Any  # a numpy array of real or complex numbers


def rms(values: Array) -> float:
    """Root mean square; 0 for no elements. Scaled first, so that large values do not overflow."""
    magnitude = np.abs(np.asarray(values)).ravel()
    if magnitude.size == 0:
        return 0.0
    largest = float(magnitude.max())
    if largest == 0.0 or not np.isfinite(largest):
        return largest
    return largest * float(np.sqrt(np.mean(np.square(magnitude / largest))))


def distance(value: Array, exact: Array) -> float:
    """rms(value - exact) over the elements that are finite in both, in double precision; shapes must be equal."""
    total = Total()
    for one, other in blocks(value, exact):
        with np.errstate(invalid="ignore", over="ignore"):
            total.add(one - other)
    return total.rms


class Total:
    """A running sum of squares."""

    def __init__(self) -> None:
        self.squares = 0.0
        self.count = 0
        self.largest = 0.0

    def add(self, values: Array) -> None:
        """Take in the finite ones among the values."""
        finite = np.isfinite(values)
        self.add_finite(values if finite.all() else values[finite])

    def add_finite(self, values: Array) -> None:
        """Take in all."""
        if not values.size:
            return
        self.count += values.size
        square = squares(values)
        if np.isfinite(square) and square > 0.0:
            self.squares += square
        else:  # beyond the range of doubles, in either direction
            self.largest = max(self.largest, rms(values))

    @property
    def rms(self) -> float:
        """Root mean square of all; 0 for no elements."""
        if not self.count:
            return 0.0
        return max(self.largest, float(np.sqrt(self.squares / self.count)))


def blocks(*arrays: Array) -> Iterator[tuple[Array, ...]]:  # type: ignore[type-arg,unused-ignore]
    """The arrays in blocks of the same elements, in double precision."""
    flat = [np.asarray(array).reshape(-1) for array in arrays]
    for start in range(0, flat[0].size, BLOCK):
        yield tuple(_wide(array[start : start + BLOCK]) for array in flat)


def squares(values: Array) -> float:
    """The sum of squares; not by BLAS, whose threads would wait for the processors that both sides use."""
    if values.dtype.kind == "c":
        return squares(values.real) + squares(values.imag)
    return float(np.einsum("i,i->", values, values))


def _wide(values: Array) -> Array:
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64, copy=False)
