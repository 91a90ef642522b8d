"""torch.signal.windows."""

import math

import paddle
import torch

from rewriters.rule import family, rule


@family("bartlett blackman hann hamming")
@rule(torch.signal.windows.bartlett)
def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.bartlett_window(M, not sym, dtype="float32" if dtype is None else dtype)


@rule(torch.signal.windows.kaiser)
def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.kaiser_window(M, not sym, beta, dtype="float32" if dtype is None else dtype)


def _steps(M, sym, dtype):
    """0, 1, ... M - 1 and the last step of the whole window, in float64; of a window of one step its middle alone."""
    last = M - 1 if sym or M == 1 else M
    return paddle.arange(M, dtype="float64"), last, "float32" if dtype is None else dtype


@rule(torch.signal.windows.general_cosine)
def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last, dtype = _steps(M, sym, dtype)
    if M == 1:
        return paddle.ones([1], dtype=dtype)
    terms = [(-1) ** k * w * paddle.cos(2 * math.pi * k * steps / last) for k, w in enumerate(a)]
    return paddle.add_n(terms).astype(dtype)


@rule(torch.signal.windows.general_hamming)
def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return general_cosine(M, a=[alpha, 1 - alpha], sym=sym, dtype=dtype)


@rule(torch.signal.windows.nuttall)
def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype)


@rule(torch.signal.windows.cosine)
def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last, dtype = _steps(M, sym, dtype)
    return paddle.sin((steps + 0.5) * math.pi / (last + 1)).astype(dtype)


@rule(torch.signal.windows.gaussian)
def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last, dtype = _steps(M, sym, dtype)
    return paddle.exp(-(((steps - last / 2) / std) ** 2) / 2).astype(dtype)


@rule(torch.signal.windows.exponential)
def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last, dtype = _steps(M, sym, dtype)
    return paddle.exp(-paddle.abs(steps - (last / 2 if center is None else center)) / tau).astype(dtype)
