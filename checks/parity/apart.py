"""How far the target stands from torch, where both are finite, and where one of them alone is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from checks.worker.distance import Array, Total, blocks, squares


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
    for mine, base, theirs in blocks(own, exact, target):
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            difference = theirs - base
            noise = mine - base
            # The sums of squares tell in one pass each that all is finite.
            if not np.isfinite(squares(difference) + squares(noise)):
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
