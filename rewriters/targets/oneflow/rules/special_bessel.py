"""Bessel, Airy and error functions, which OneFlow has not: by their integrals and asymptotic series.

Computed in float64, with as many numbers in between for each element as the rule has nodes.
"""

import math

import numpy
import oneflow
import torch

from rewriters.rule import family, rule


def exact(input):
    """float64, and the dtype of the answer."""
    return input.double(), input.dtype if input.is_floating_point() else oneflow.get_default_dtype()


def like(x, value):
    return oneflow.full_like(x, value)


def integral(function, upper, count):
    """Of function from 0 to upper, a tensor: by Gauss's rule with so many nodes."""
    nodes, weights = (
        oneflow.tensor(part, dtype=oneflow.float64, device=upper.device)
        for part in numpy.polynomial.legendre.leggauss(count)
    )
    t = (nodes + 1) / 2 * upper.unsqueeze(-1)
    return oneflow.sum(function(t) * weights, -1) * upper / 2


def angles(x, count):
    """The middles of so many equal steps from 0 to pi: over whole periods sums converge as fast as by Gauss's rule."""
    return (oneflow.arange(count, dtype=oneflow.float64, device=x.device) + 0.5) * (math.pi / count)


def far_phase(x, order):
    """Of J and Y where x is large: the amplitude, its two series, and the phase (DLMF 10.17)."""
    even, odd, term = oneflow.ones_like(x), oneflow.zeros_like(x), oneflow.ones_like(x)
    for k in range(1, 16):
        term = term * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * x)
        sign = -1 if k % 4 in (2, 3) else 1
        if k % 2:
            odd = odd + sign * term
        else:
            even = even + sign * term
    return oneflow.sqrt(2 / (math.pi * x)), even, odd, x - (order / 2 + 0.25) * math.pi


NEAR = 25.0  # below it the integrals are computed, above it the series


def bessel_j(input, order):
    x, dtype = exact(input)
    size = oneflow.abs(x)
    near = oneflow.clamp(size, max=NEAR).unsqueeze(-1)
    t = angles(x, 48)
    inside = oneflow.mean(oneflow.cos(order * t - near * oneflow.sin(t)), -1)
    amplitude, even, odd, phase = far_phase(oneflow.clamp(size, min=NEAR), order)
    found = oneflow.where(size < NEAR, inside, amplitude * (even * oneflow.cos(phase) - odd * oneflow.sin(phase)))
    found = oneflow.where(oneflow.isinf(size), oneflow.zeros_like(x), found)
    found = oneflow.where(oneflow.isnan(x), x, found)
    return (oneflow.sign(x) * found if order % 2 else found).to(dtype)


def bessel_y(input, order):
    x, dtype = exact(input)
    near = oneflow.clamp(x, 1e-30, NEAR)
    wave = integral(
        lambda t: oneflow.sin(near.unsqueeze(-1) * oneflow.sin(t) - order * t), like(x, math.pi), 64
    )  # fmt: skip
    fall = integral(
        lambda t: (
            (oneflow.exp(order * t) + (-1) ** order * oneflow.exp(-order * t))
            * oneflow.exp(-near.unsqueeze(-1) * oneflow.sinh(t))
        ),
        oneflow.asinh(45 / near),
        160,
    )
    amplitude, even, odd, phase = far_phase(oneflow.clamp(x, min=NEAR), order)
    far = amplitude * (even * oneflow.sin(phase) + odd * oneflow.cos(phase))
    found = oneflow.where(x < NEAR, (wave - fall) / math.pi, far)
    found = oneflow.where(oneflow.isinf(x), oneflow.zeros_like(x), found)
    return at_the_edges(x, found, -math.inf).to(dtype)


def at_the_edges(x, found, at_zero):
    """What functions of positive numbers give elsewhere."""
    found = oneflow.where(x == 0, like(x, at_zero), found)
    return oneflow.where(oneflow.logical_or(x < 0, oneflow.isnan(x)), like(x, math.nan), found)


def scaled_bessel_k(x, order):
    """exp(x) K(x), of float64."""
    size = oneflow.clamp(x, 1e-30, 1e30)
    found = integral(
        lambda t: oneflow.exp(-2 * size.unsqueeze(-1) * oneflow.sinh(t / 2) ** 2) * oneflow.cosh(order * t),
        2 * oneflow.asinh(oneflow.sqrt(25 / size)),
        160,
    )
    return at_the_edges(x, found, math.inf)


def scaled_bessel_i(x, order):
    """exp(-abs(x)) I(x), of float64."""
    size = oneflow.abs(x)
    near = oneflow.clamp(x, -NEAR, NEAR).unsqueeze(-1)
    t = angles(x, 96)
    inside = oneflow.mean(oneflow.exp(near * oneflow.cos(t) - oneflow.abs(near)) * oneflow.cos(order * t), -1)
    far = oneflow.clamp(size, min=NEAR)
    series, term = oneflow.ones_like(x), oneflow.ones_like(x)
    for k in range(1, 16):
        term = term * ((2 * k - 1) ** 2 - 4 * order**2) / (8 * k * far)
        series = series + term
    outside = series / oneflow.sqrt(2 * math.pi * far)
    return oneflow.where(size < NEAR, inside, oneflow.sign(x) * outside if order % 2 else outside)


@family("0 1")
@rule(torch.special.bessel_j0)
def bessel_j0(input):
    return bessel_j(input, 0)


@family("0 1")
@rule(torch.special.bessel_y0)
def bessel_y0(input):
    return bessel_y(input, 0)


@family("0 1")
@rule(torch.special.scaled_modified_bessel_k0)
def scaled_modified_bessel_k0(x):
    value, dtype = exact(x)
    return scaled_bessel_k(value, 0).to(dtype)


@family("0 1")
@rule(torch.special.modified_bessel_k0)
def modified_bessel_k0(input):
    value, dtype = exact(input)
    return (scaled_bessel_k(value, 0) * oneflow.exp(-value)).to(dtype)


@rule(torch.special.i0, torch.special.modified_bessel_i0, torch.i0, torch.Tensor.i0)
def i0(input):
    value, dtype = exact(input)
    return (scaled_bessel_i(value, 0) * oneflow.exp(oneflow.abs(value))).to(dtype)


@rule(torch.special.i1, torch.special.modified_bessel_i1)
def i1(input):
    value, dtype = exact(input)
    return (scaled_bessel_i(value, 1) * oneflow.exp(oneflow.abs(value))).to(dtype)


@family("i0e i1e", "0 1")
@rule(torch.special.i0e)
def i0e(input):
    value, dtype = exact(input)
    return scaled_bessel_i(value, 0).to(dtype)


@rule(torch.i0_, torch.Tensor.i0_)
def i0_(self):
    self[...] = i0(self.clone())
    return self


@rule(torch.special.spherical_bessel_j0)
def spherical_bessel_j0(x):
    value, dtype = exact(x)
    zero = value == 0
    away = oneflow.masked_fill(value, zero, 1.0)
    found = oneflow.where(oneflow.isinf(value), oneflow.zeros_like(value), oneflow.sin(away) / away)
    return oneflow.where(zero, oneflow.ones_like(value), found).to(dtype)


def scaled_erfc(x):
    """exp(x * x) erfc(x), of float64."""
    size = oneflow.where(x < 0, -x, x)  # unlike abs it has a slope at zero
    upper = (40 / (size + oneflow.sqrt(size**2 + 40))).detach()
    found = integral(lambda t: oneflow.exp(-t * (t + 2 * size.unsqueeze(-1))), upper, 64) * (2 / math.sqrt(math.pi))
    negative = 2 * oneflow.exp(oneflow.clamp(x, max=0.0) ** 2) - found
    return oneflow.where(x < 0, negative, found)


@rule(torch.special.erfcx)
def erfcx(input):
    x, dtype = exact(input)
    return scaled_erfc(x).to(dtype)


@rule(torch.special.log_ndtr)
def log_ndtr(input):
    x, dtype = exact(input)
    low = oneflow.clamp(x, max=-1.0) * math.sqrt(0.5)
    tail = oneflow.log(scaled_erfc(-low) / 2) - low * low
    middle = oneflow.log1p(oneflow.erfc(oneflow.clamp(x, min=-1.0) * math.sqrt(0.5)) / -2)
    return oneflow.where(x < -1, tail, middle).to(dtype)


class InverseNormal(oneflow.autograd.Function):
    """Of float64: by erfinv, and a step of Newton's in the nearer tail."""

    @staticmethod
    def forward(ctx, p):
        ctx.save_for_backward(p)
        near = oneflow.where(p > 0.5, 1 - p, p)
        found = oneflow.erfinv(2 * near - 1) * math.sqrt(2)
        missing = oneflow.erfc(found * -math.sqrt(0.5)) / 2 - near
        step = missing * math.sqrt(2 * math.pi) * oneflow.exp(found * found / 2)
        found = oneflow.where(oneflow.isfinite(found), found - step, found)
        return oneflow.where(p > 0.5, -found, found)

    @staticmethod
    def backward(ctx, grad):
        (p,) = ctx.saved_tensors
        return grad * math.sqrt(2 * math.pi) * oneflow.exp(InverseNormal.apply(p) ** 2 / 2)


@rule(torch.special.ndtri)
def ndtri(input):
    p, dtype = exact(input)
    return InverseNormal.apply(p).to(dtype)


@rule(torch.special.airy_ai)
def airy_ai(x):
    value, dtype = exact(x)
    size = oneflow.clamp(oneflow.abs(value), min=1e-16)
    z = 2 / 3 * size**1.5
    above = oneflow.sqrt(size / 3) / math.pi * scaled_bessel_k(z, 1 / 3) * oneflow.exp(-z)
    near = oneflow.clamp(z, max=NEAR)
    wave, fall = 0, 0
    for order in (1 / 3, -1 / 3):
        wave = wave + integral(
            lambda t, order=order: oneflow.cos(order * t - near.unsqueeze(-1) * oneflow.sin(t)), like(z, math.pi), 64
        )
        fall = fall + math.sin(order * math.pi) * integral(
            lambda t, order=order: oneflow.exp(-order * t - near.unsqueeze(-1) * oneflow.sinh(t)),
            oneflow.asinh(45 / near),
            160,
        )
    inside = oneflow.sqrt(size) / 3 * (wave - fall) / math.pi
    far = oneflow.clamp(z, min=NEAR)
    even, odd, term = oneflow.ones_like(z), oneflow.zeros_like(z), oneflow.ones_like(z)
    for k in range(1, 16):
        term = term * (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216 * k * (2 * k - 1) * far)
        sign = -1 if k % 4 in (2, 3) else 1
        if k % 2:
            odd = odd + sign * term
        else:
            even = even + sign * term
    phase = far - math.pi / 4
    outside = (even * oneflow.cos(phase) + odd * oneflow.sin(phase)) / (math.sqrt(math.pi) * size**0.25)
    found = oneflow.where(value < 0, oneflow.where(z < NEAR, inside, outside), above)
    return oneflow.where(oneflow.isnan(value), value, found).to(dtype)
