"""The noise floor: how far from the exact result a correct float32 computation of the same model may stand.

For each output, with torch64 the torch model in double precision:

    error = rms(target - torch64)
    floor = max(rms(torch32 - torch64) over torch's variants, u * rms(torch64), change of torch64 under half-ulp noise
                on its inputs)

where u is half the spacing of the output's dtype at 1 (2**-24 for float32). The ratio error / floor was at most 10 in
3,120 comparisons of correct operators, while a wrong epsilon or a tanh GELU stands in the hundreds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

WARN = 4.0
FAIL = 10.0
ROUNDING = {"float64": 2.0**-53, "complex128": 2.0**-53, "float16": 2.0**-11, "bfloat16": 2.0**-8}

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


@dataclass(frozen=True)
class Reference:
    """One output of torch, exact as far as it can be had, and torch's own runs around it.

    exact:     torch64.
    variants:  name of a run -> its result in the model's own precision.
    noisy:     torch64 with half-ulp noise on its inputs.
    dtype:     of the output in the model's own precision.
    """

    exact: Array
    variants: Mapping[str, Array]
    noisy: Array
    dtype: str

    def terms(self, keep: Array, scale: float = 1.0) -> dict[str, Array]:
        """Differences whose rms make up the floor, over the elements of ``keep``, divided by ``scale``."""
        exact = _wide(self.exact)[keep]
        terms = {name: (_wide(value)[keep] - exact) / scale for name, value in self.variants.items()}
        terms["half-ulp inputs"] = (_wide(self.noisy)[keep] - exact) / scale
        terms["rounding of the result"] = exact * ROUNDING.get(self.dtype, 2.0**-24) / scale
        return terms


def highest(terms: Mapping[str, Array]) -> tuple[float, str]:
    """(the floor, the term that set it)."""
    figures = {name: rms(values) for name, values in terms.items()}
    name = max(figures, key=lambda key: figures[key])
    return figures[name], name


def ratio(error: float, floor: float) -> float:
    """error / floor; infinite when torch is exact and the target is not."""
    if error == 0.0:
        return 0.0
    return error / floor if floor > 0.0 else float("inf")


def _wide(values: Array) -> Array:
    array = np.asarray(values)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64, copy=False)
