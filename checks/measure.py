"""How far arrays stand apart, in one pass over blocks of them: a mapped array of any size costs a block of memory.

Also loaded inside the workers: Python 3.8 and numpy only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator  # noqa: UP035 - Python 3.8

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
    for one, other in _blocks(value, exact):
        with np.errstate(invalid="ignore", over="ignore"):
            total.add(one - other)
    return total.rms


@dataclass
class Apart:
    """The target beside torch, over the elements that are finite on all sides.

    error:      rms(target - exact); own: rms(torch32 - exact); size: rms(exact).
    max_abs, max_rel: largest differences from exact, max_rel over the elements that are not 0.
    kept:       how many elements are finite everywhere.
    not_finite: what stands elsewhere than in torch, in words.
    """

    error: float
    own: float
    size: float
    max_abs: float
    max_rel: float
    kept: int
    not_finite: list[str]


def apart(own: Array, exact: Array, target: Array) -> Apart:
    """Compare floating arrays of one shape."""
    error, own_error, size = Total(), Total(), Total()
    max_abs = max_rel = 0.0
    kept = 0
    stray = Stray(np.asarray(own).dtype.kind == "c", int(np.prod(np.shape(target), dtype=np.int64)))
    for mine, base, theirs in _blocks(own, exact, target):
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            difference = theirs - base
            noise = mine - base
            # The sums of squares tell in one pass each that all is finite.
            if not np.isfinite(_squares(difference) + _squares(noise)):
                stray.look(mine, theirs)
                finite = np.isfinite(difference) & np.isfinite(noise)
                difference, noise, base = difference[finite], noise[finite], base[finite]
            if not difference.size:
                continue
            kept += difference.size
            magnitude = np.abs(difference)
            max_abs = max(max_abs, float(magnitude.max()))
            # 0 / 0 is left out by fmax, x / 0 by hand where it occurs.
            relative = float(np.fmax.reduce(np.divide(magnitude, np.abs(base), out=magnitude)))
            if np.isinf(relative):
                relative = float(magnitude[np.isfinite(magnitude)].max(initial=0.0))
            if relative > max_rel:
                max_rel = relative
            error.add_finite(difference)
            own_error.add_finite(noise)
            size.add_finite(base)
    return Apart(error.rms, own_error.rms, size.rms, max_abs, max_rel, kept, stray.findings())


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
        square = _squares(values)
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


class Stray:
    """NaN and infinities, which must stand at the same places."""

    def __init__(self, is_complex: bool, elements: int) -> None:
        self.elements = elements
        # An infinite complex number has no sign.
        names: dict[str, Any] = {"NaN": np.isnan}
        if not is_complex:
            names.update({"+inf": np.isposinf, "-inf": np.isneginf})
        self.names = names
        self.extra = dict.fromkeys(names, 0)
        self.lacking = dict.fromkeys(names, 0)

    def look(self, own: Array, target: Array) -> None:
        """Count in a block."""
        for name, where in self.names.items():
            here, there = where(own), where(target)
            self.extra[name] += int(np.count_nonzero(there & ~here))
            self.lacking[name] += int(np.count_nonzero(here & ~there))

    def findings(self) -> list[str]:
        """One line for each kind."""
        found = []
        for name in self.names:
            if self.extra[name]:
                found.append(f"{name} at {self.extra[name]} of {self.elements} elements where torch has none")
            if self.lacking[name]:
                found.append(f"no {name} at {self.lacking[name]} of {self.elements} elements where torch has it")
        return found


def _blocks(*arrays: Array) -> Iterator[tuple[Array, ...]]:  # type: ignore[type-arg,unused-ignore]
    """The arrays in blocks of the same elements, in double precision."""
    flat = [np.asarray(array).reshape(-1) for array in arrays]
    for start in range(0, flat[0].size, BLOCK):
        yield tuple(_wide(array[start : start + BLOCK]) for array in flat)


def _squares(values: Array) -> float:
    """The sum of squares; not by BLAS, whose threads would wait for the processors that both sides use."""
    if values.dtype.kind == "c":
        return _squares(values.real) + _squares(values.imag)
    return float(np.einsum("i,i->", values, values))


def _wide(values: Array) -> Array:
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64, copy=False)
