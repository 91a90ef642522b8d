"""Inputs as they may stand before they were rounded."""

from __future__ import annotations

import numpy as np


def half_ulp_noise(array: np.ndarray, seed: int, position: int) -> np.ndarray:
    """The array in double precision, floats moved at random by up to half a unit in their last place.

    What torch64 makes of it shows how far the model carries a rounding of its inputs. Other dtypes come back as they
    are.
    """
    if array.dtype.kind not in "fc":
        return array
    random = np.random.default_rng([seed, position, 1])
    if array.dtype.kind == "c":
        real, imaginary = (half_ulp_noise(part, seed, position) for part in (array.real, array.imag))
        return real + 1j * imaginary
    ulp = np.spacing(np.abs(array)).astype(np.float64)
    return np.asarray(array.astype(np.float64) + ulp * random.uniform(-0.5, 0.5, array.shape))
