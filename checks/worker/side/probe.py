"""Weights that show a swapped or ignored parameter, for a check without trained ones.

A fresh model hides faults: every BatchNorm has mean 0, variance 1, weight 1 and bias 0, and a zero-initialised branch
hides all that leads into it. So each floating tensor whose elements are all equal is moved away from its constant, the
same way for the same seed and name: zeros become uniform in [-0.25, 0.25), any other value c uniform in [c/2, 3c/2)
(a variance stays positive). Everything else keeps its own random init.
"""

from __future__ import annotations

import zlib

import numpy as np


def probe_weights(state: dict[str, np.ndarray], seed: int) -> dict[str, np.ndarray]:
    """A new state of the same names, shapes and dtypes."""
    return {name: _moved(array, seed, name) for name, array in state.items()}


def _moved(array: np.ndarray, seed: int, name: str) -> np.ndarray:
    if array.dtype.kind != "f" or array.size == 0:
        return array
    constant = array.flat[0]
    if not np.isfinite(constant) or not (array == constant).all():
        return array
    random = np.random.default_rng([seed, zlib.crc32(name.encode())])
    if constant == 0:
        return np.asarray(random.uniform(-0.25, 0.25, array.shape), array.dtype)
    return np.asarray(constant * random.uniform(0.5, 1.5, array.shape), array.dtype)
