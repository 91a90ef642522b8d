"""Window functions, computed in float64 as torch does."""

import math

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.special_bessel import scaled_bessel_i


def steps_of(M, sym):
    """(0, 1, ... M - 1, the last step of the whole window)."""
    M = int(M)
    return oneflow.arange(M, dtype=oneflow.float64), M - 1 if sym or M == 1 else M


def cosines(M, weights, sym, dtype):
    """A sum of cosines whose signs alternate."""
    if M <= 1:
        return oneflow.ones(int(M), dtype=dtype or oneflow.float32)
    steps, last = steps_of(M, sym)
    total = oneflow.zeros(steps.shape, dtype=oneflow.float64)
    for k, weight in enumerate(weights):
        total = total + (-1) ** k * weight * oneflow.cos(steps * (2 * math.pi * k / last))
    return total.to(dtype or oneflow.float32)


@rule(torch.signal.windows.general_cosine)
def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return cosines(M, a, sym, dtype)


@rule(torch.signal.windows.general_hamming)
def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return cosines(M, [alpha, 1 - alpha], sym, dtype)


@rule(torch.signal.windows.hann)
def hann(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return cosines(M, [0.5, 0.5], sym, dtype)


@rule(torch.signal.windows.hamming)
def hamming(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return cosines(M, [0.54, 0.46], sym, dtype)


@rule(torch.signal.windows.blackman)
def blackman(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return cosines(M, [0.42, 0.5, 0.08], sym, dtype)


@rule(torch.signal.windows.nuttall)
def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return cosines(M, [0.3635819, 0.4891775, 0.1365995, 0.0106411], sym, dtype)


@rule(torch.signal.windows.bartlett)
def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    if M <= 1:
        return oneflow.ones(int(M), dtype=dtype or oneflow.float32)
    steps, last = steps_of(M, sym)
    return (1 - oneflow.abs(steps * (2 / last) - 1)).to(dtype or oneflow.float32)


@rule(torch.signal.windows.cosine)
def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last = steps_of(M, sym)
    return oneflow.sin((steps + 0.5) * (math.pi / (last + 1 or 1))).to(dtype or oneflow.float32)


@rule(torch.signal.windows.gaussian)
def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last = steps_of(M, sym)
    away = (steps - last / 2) / std
    return oneflow.exp(-away * away / 2).to(dtype or oneflow.float32)


@rule(torch.signal.windows.exponential)
def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    steps, last = steps_of(M, sym)
    middle = last / 2 if center is None else center
    return oneflow.exp(-oneflow.abs(steps - middle) / tau).to(dtype or oneflow.float32)


@rule(torch.hann_window)
def hann_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False):
    return cosines(window_length, [0.5, 0.5], not periodic, dtype)


@rule(torch.hamming_window)
def hamming_window(
    window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None, requires_grad=False
):
    return cosines(window_length, [alpha, beta], not periodic, dtype)


@rule(torch.blackman_window)
def blackman_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False):
    return cosines(window_length, [0.42, 0.5, 0.08], not periodic, dtype)


@rule(torch.bartlett_window)
def bartlett_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False):
    return bartlett(window_length, sym=not periodic, dtype=dtype)


def counted_axes(input, dim):
    """From the front: OneFlow's roll takes -1 for the first axis."""
    if dim is None:
        return list(range(input.ndim))
    return [axis % input.ndim for axis in ([dim] if isinstance(dim, int) else dim)]


@rule(torch.fft.fftshift)
def fftshift(input, dim=None):
    axes = counted_axes(input, dim)
    return oneflow.roll(input, [input.shape[axis] // 2 for axis in axes], axes)


@rule(torch.fft.ifftshift)
def ifftshift(input, dim=None):
    axes = counted_axes(input, dim)
    return oneflow.roll(input, [(input.shape[axis] + 1) // 2 for axis in axes], axes)


def of_kaiser(M, beta, sym, dtype, device):
    if M <= 1:
        return oneflow.ones(int(M), dtype=dtype or oneflow.float32, device=device)
    steps, last = steps_of(M, sym)
    place = steps * (2 / last) - 1
    inside = oneflow.sqrt(oneflow.clamp(1 - place * place, min=0)) * beta
    scale = scaled_bessel_i(oneflow.tensor(float(beta), dtype=oneflow.float64), 0)
    found = scaled_bessel_i(inside, 0) * oneflow.exp(inside - abs(beta)) / scale
    return found.to(dtype or oneflow.float32).to(device or "cpu")


@rule(torch.signal.windows.kaiser)
def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return of_kaiser(M, beta, sym, dtype, device)


@rule(torch.kaiser_window)
def kaiser_window(
    window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None, requires_grad=False
):
    return of_kaiser(window_length, beta, not periodic, dtype, device)
