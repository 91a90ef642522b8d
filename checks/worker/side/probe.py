"""Weights that show a swapped or ignored parameter, for a check without trained ones.

A fresh model hides faults: every BatchNorm has mean 0, variance 1, weight 1 and bias 0, and a zero-initialised branch
hides all that leads into it. So each floating tensor whose elements are all equal is moved away from its constant, the
same way for the same seed and name: zeros become uniform in [-0.25, 0.25), any other value c uniform in [c/2, 3c/2)
(a variance stays positive). Everything else keeps its own random init, but for the vectors of a spectral norm: of
random ones the norm is next to nothing beside its weight, and then its rounding is all that gradients show. They become
the singular pair, as in training. What torch.empty() made and nobody filled, as far as it shows (NaN, or numbers that
no initialization gives), is moved as zeros are; torch's runtime has it show (``building``).
"""

from __future__ import annotations

import zlib

import numpy as np

SPECTRAL = {"_orig": "_", ".original": ".0._"}
"""How a weight under spectral norm ends, and what stands before ``u`` and ``v`` instead: hooks, parametrizations."""

ITERATIONS, TINY = 15, 1e-12

LARGEST = 1e15
"""What lies above is no initial weight, but what was in the memory before."""


def probe_weights(state: dict[str, np.ndarray], seed: int) -> dict[str, np.ndarray]:
    """A new state of the same names, shapes and dtypes."""
    found = {name: _moved(array, seed, name) for name, array in state.items()}
    for name in found:
        for weight, end in SPECTRAL.items():
            beside = name[: -len(weight)]
            if name.endswith(weight) and beside + end + "u" in found and beside + end + "v" in found:
                found.update(_singular(found, name, beside + end + "u", beside + end + "v"))
    return found


def _singular(state: dict[str, np.ndarray], weight: str, left: str, right: str) -> dict[str, np.ndarray]:
    """The vectors of a weight's largest singular value, nearly; nothing where their sizes are not the weight's."""
    u, v = state[left], state[right]
    axis = next((axis for axis, size in enumerate(state[weight].shape) if u.shape == (size,)), 0)
    matrix = np.moveaxis(state[weight].astype(np.float64), axis, 0)
    matrix = matrix.reshape(matrix.shape[0], -1)
    if (*u.shape, *v.shape) != matrix.shape:
        return {}
    one = v.astype(np.float64)
    for _ in range(ITERATIONS):
        other = matrix @ one
        other /= np.linalg.norm(other) + TINY
        one = matrix.T @ other
        one /= np.linalg.norm(one) + TINY
    return {left: other.astype(u.dtype), right: one.astype(v.dtype)}


def _moved(array: np.ndarray, seed: int, name: str) -> np.ndarray:
    if array.dtype.kind != "f" or array.size == 0:
        return array
    constant = array.flat[0]
    if np.isnan(array).any() or np.max(np.abs(array), where=np.isfinite(array), initial=0.0) > LARGEST:
        constant, array = array.dtype.type(0), np.zeros_like(array)
    if not np.isfinite(constant) or not (array == constant).all():
        return array
    random = np.random.default_rng([seed, zlib.crc32(name.encode())])
    if constant == 0:
        return np.asarray(random.uniform(-0.25, 0.25, array.shape), array.dtype)
    return np.asarray(constant * random.uniform(0.5, 1.5, array.shape), array.dtype)
