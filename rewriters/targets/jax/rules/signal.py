"""torch.signal.windows."""

import math

import jax.numpy as jnp
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.creation import (
    bartlett_window,
    blackman_window,  # noqa: F401 (families name them)
    hamming_window,  # noqa: F401
    hann_window,  # noqa: F401
    kaiser_window,
)


@family("bartlett blackman hann hamming")
@rule(torch.signal.windows.bartlett)
def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return bartlett_window(M, not sym, dtype=dtype)


@rule(torch.signal.windows.kaiser)
def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return kaiser_window(M, not sym, beta, dtype=dtype)


def steps_of(M, sym, dtype):
    """0, 1, ... M - 1 and the last step of the whole window, in float64; of a window of one step its middle alone."""
    return jnp.arange(M, dtype=jnp.float64), M - 1 if sym or M == 1 else M, jnp.float32 if dtype is None else dtype


@rule(torch.signal.windows.general_cosine)
def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last, dtype = steps_of(M, sym, dtype)
    if M == 1:
        return jnp.ones(1, dtype)
    terms = [(-1) ** k * weight * jnp.cos(2 * math.pi * k * steps / last) for k, weight in enumerate(a)]
    return sum(terms).astype(dtype)


@rule(torch.signal.windows.general_hamming)
def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return general_cosine(M, a=[alpha, 1 - alpha], sym=sym, dtype=dtype)


@rule(torch.signal.windows.nuttall)
def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype)


@rule(torch.signal.windows.cosine)
def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last, dtype = steps_of(M, sym, dtype)
    return jnp.sin((steps + 0.5) * math.pi / (last + 1)).astype(dtype)


@rule(torch.signal.windows.gaussian)
def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last, dtype = steps_of(M, sym, dtype)
    return jnp.exp(-(((steps - last / 2) / std) ** 2) / 2).astype(dtype)


@rule(torch.signal.windows.exponential)
def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last, dtype = steps_of(M, sym, dtype)
    return jnp.exp(-jnp.abs(steps - (last / 2 if center is None else center)) / tau).astype(dtype)
