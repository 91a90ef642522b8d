"""Bessel, Airy and zeta functions, which Paddle has not: by their integrals (Gauss's rule) and asymptotic series.

Computed in float64, with as many numbers in between for each element as the rule has nodes.
"""

import math

import numpy
import paddle
import torch

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.promoted_dtypes import alike


def as_double(input):
    """float64, and the dtype of the answer."""
    inexact = input.is_floating_point()
    return input.astype("float64"), input.dtype if inexact else paddle.get_default_dtype()


def integral(function, upper, count):
    """Of function from 0 to upper, a tensor: by Gauss's rule with so many nodes."""
    nodes, weights = numpy.polynomial.legendre.leggauss(count)
    t = (paddle.to_tensor(nodes) + 1) / 2 * upper.unsqueeze(-1)
    return (function(t) * paddle.to_tensor(weights)).sum(axis=-1) * upper / 2


def far_phase(x, order):
    """Of J and Y where x is large: the amplitude, its two series, and the phase (DLMF 10.17)."""
    even, odd, term = paddle.ones_like(x), paddle.zeros_like(x), paddle.ones_like(x)
    for k in range(1, 16):
        term = term * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * x)
        sign = -1 if k % 4 in (2, 3) else 1
        if k % 2:
            odd = odd + sign * term
        else:
            even = even + sign * term
    return paddle.sqrt(2 / (math.pi * x)), even, odd, x - (order / 2 + 0.25) * math.pi


NEAR = 25.0  # below it the integrals are computed, above it the series


def bessel_j(input, order):
    x, dtype = as_double(input)
    size = paddle.abs(x)
    near = paddle.clip(size, max=NEAR).unsqueeze(-1)
    # over whole periods the sum over equal steps converges as fast as Gauss's rule
    t = (paddle.arange(48, dtype="float64") + 0.5) * (math.pi / 48)
    inside = paddle.cos(order * t - near * paddle.sin(t)).mean(axis=-1)
    amplitude, even, odd, phase = far_phase(paddle.clip(size, min=NEAR), order)
    found = paddle.where(size < NEAR, inside, amplitude * (even * paddle.cos(phase) - odd * paddle.sin(phase)))
    found = paddle.where(paddle.isinf(size), paddle.zeros_like(x), found)
    found = paddle.where(paddle.isnan(x), x, found)
    return (paddle.sign(x) * found if order % 2 else found).astype(dtype)


def bessel_y(input, order):
    x, dtype = as_double(input)
    near = paddle.clip(x, 1e-30, NEAR)
    wave = integral(
        lambda t: paddle.sin(near.unsqueeze(-1) * paddle.sin(t) - order * t), paddle.full_like(x, math.pi), 64
    )
    fall = integral(
        lambda t: (
            (paddle.exp(order * t) + (-1) ** order * paddle.exp(-order * t))
            * paddle.exp(-near.unsqueeze(-1) * paddle.sinh(t))
        ),
        paddle.asinh(45 / near),
        160,
    )
    amplitude, even, odd, phase = far_phase(paddle.clip(x, min=NEAR), order)
    far = amplitude * (even * paddle.sin(phase) + odd * paddle.cos(phase))
    found = paddle.where(x < NEAR, (wave - fall) / math.pi, far)
    found = paddle.where(paddle.isinf(x), paddle.zeros_like(x), found)
    found = paddle.where(x <= 0, paddle.full_like(x, -math.inf), found)  # == has a tolerance in Paddle
    return paddle.where((x < 0) | paddle.isnan(x), paddle.full_like(x, math.nan), found).astype(dtype)


def scaled_bessel_k(x, order):
    """exp(x) K(x), of float64."""
    size = paddle.clip(x, 1e-30, 1e30)
    found = integral(
        lambda t: paddle.exp(-2 * size.unsqueeze(-1) * paddle.sinh(t / 2) ** 2) * paddle.cosh(order * t),
        2 * paddle.asinh(paddle.sqrt(25 / size)),
        160,
    )
    found = paddle.where(x <= 0, paddle.full_like(x, math.inf), found)  # == has a tolerance in Paddle
    return paddle.where((x < 0) | paddle.isnan(x), paddle.full_like(x, math.nan), found)


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
    value, dtype = as_double(x)
    return scaled_bessel_k(value, 0).astype(dtype)


@family("0 1")
@rule(torch.special.modified_bessel_k0)
def modified_bessel_k0(input):
    value, dtype = as_double(input)
    return (scaled_bessel_k(value, 0) * paddle.exp(-value)).astype(dtype)


@rule(torch.special.erfcx)
def erfcx(input):
    x, dtype = as_double(input)
    size = paddle.abs(x)
    upper = (40 / (size + paddle.sqrt(size**2 + 40))).detach()
    found = integral(lambda t: paddle.exp(-t * (t + 2 * size.unsqueeze(-1))), upper, 64) * (2 / math.sqrt(math.pi))
    negative = 2 * paddle.exp(paddle.where(x < 0, x, paddle.zeros_like(x)) ** 2) - found
    return paddle.where(x < 0, negative, found).astype(dtype)


@rule(torch.special.airy_ai)
def airy_ai(x):
    value, dtype = as_double(x)
    size = paddle.clip(paddle.abs(value), min=1e-16)
    z = 2 / 3 * size**1.5
    above = paddle.sqrt(size / 3) / math.pi * scaled_bessel_k(z, 1 / 3) * paddle.exp(-z)
    near = paddle.clip(z, max=NEAR)
    wave, fall = 0, 0
    for order in (1 / 3, -1 / 3):
        wave = wave + integral(
            lambda t, order=order: paddle.cos(order * t - near.unsqueeze(-1) * paddle.sin(t)),
            paddle.full_like(z, math.pi),
            64,
        )
        fall = fall + math.sin(order * math.pi) * integral(
            lambda t, order=order: paddle.exp(-order * t - near.unsqueeze(-1) * paddle.sinh(t)),
            paddle.asinh(45 / near),
            160,
        )
    inside = paddle.sqrt(size) / 3 * (wave - fall) / math.pi
    far = paddle.clip(z, min=NEAR)
    even, odd, term = paddle.ones_like(z), paddle.zeros_like(z), paddle.ones_like(z)
    for k in range(1, 16):
        term = term * (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216 * k * (2 * k - 1) * far)
        sign = -1 if k % 4 in (2, 3) else 1
        if k % 2:
            odd = odd + sign * term
        else:
            even = even + sign * term
    phase = far - math.pi / 4
    outside = (even * paddle.cos(phase) + odd * paddle.sin(phase)) / (math.sqrt(math.pi) * size**0.25)
    below = paddle.where(z < NEAR, inside, outside)
    found = paddle.where(value < 0, below, above)
    return paddle.where(paddle.isnan(value), value, found).astype(dtype)


@rule(torch.special.zeta)
def zeta(input, other):
    """Hurwitz's, by the formula of Euler and Maclaurin."""
    input, other = alike(input, other)
    tensor = input if isinstance(input, paddle.Tensor) else other
    _, dtype = as_double(tensor)
    x = as_double(input)[0] if isinstance(input, paddle.Tensor) else paddle.full([], input, "float64")
    q = as_double(other)[0] if isinstance(other, paddle.Tensor) else paddle.full([], other, "float64")
    lowest = float(q.min()) if q.size else 0.0
    count = 10 + (max(0, math.ceil(-lowest)) if math.isfinite(lowest) else 0)
    found = sum((q + k) ** -x for k in range(count))
    last = q + count
    found = found + last ** (1 - x) / (x - 1) + last**-x / 2
    factor = x / last ** (x + 1)
    # B(2j) / (2j)!
    for j, share in enumerate(
        (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600), 1
    ):
        found = found + share * factor
        factor = factor * (x + 2 * j - 1) * (x + 2 * j) / last**2
    whole = (q <= 0) & (q == paddle.floor(q))
    found = paddle.where(whole, paddle.full_like(found, math.inf), found)
    unreal = (x < 1) | ((q <= 0) & ~whole & (x != paddle.floor(x)))
    found = paddle.where(unreal, paddle.full_like(found, math.nan), found)
    return paddle.where(x == 1, paddle.full_like(found, math.inf), found).astype(dtype)
