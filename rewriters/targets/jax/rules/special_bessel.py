"""Bessel and Airy functions, of which JAX has I alone: by their integrals (Gauss's rule) and asymptotic series.

Computed in float64, with as many numbers in between for each element as the rule has nodes.
"""

import math

import jax
import jax.numpy as jnp
import numpy
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.promoted_dtypes import inexact


@family("0 1")
@rule(torch.special.modified_bessel_i0)
def modified_bessel_i0(input):
    return jax.scipy.special.i0(inexact(input))


def as_double(x):
    """float64, and the dtype of the answer."""
    return x.astype(jnp.float64), inexact(x).dtype


def integral(function, upper, count):
    """Of function from 0 to upper, an array: by Gauss's rule with so many nodes."""
    nodes, weights = numpy.polynomial.legendre.leggauss(count)
    t = (jnp.asarray(nodes) + 1) / 2 * jnp.expand_dims(upper, -1)
    return (function(t) * weights).sum(axis=-1) * upper / 2


def far_series(x, factor):
    """The two series of J, Y and Ai where x is large, whose terms follow by a factor (DLMF 10.17)."""
    even, odd, term = jnp.ones_like(x), jnp.zeros_like(x), jnp.ones_like(x)
    for k in range(1, 16):
        term = term * factor(k)
        sign = -1 if k % 4 in (2, 3) else 1
        if k % 2:
            odd = odd + sign * term
        else:
            even = even + sign * term
    return even, odd


def far_phase(x, order):
    """Of J and Y where x is large: the amplitude, its two series, and the phase."""
    even, odd = far_series(x, lambda k: (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * x))
    return jnp.sqrt(2 / (math.pi * x)), even, odd, x - (order / 2 + 0.25) * math.pi


NEAR = 25.0  # below it the integrals are computed, above it the series


def bessel_j(input, order):
    x, dtype = as_double(input)
    size = jnp.abs(x)
    near = jnp.expand_dims(jnp.minimum(size, NEAR), -1)
    # over whole periods the sum over equal steps converges as fast as Gauss's rule
    t = (jnp.arange(48, dtype=jnp.float64) + 0.5) * (math.pi / 48)
    inside = jnp.cos(order * t - near * jnp.sin(t)).mean(axis=-1)
    amplitude, even, odd, phase = far_phase(jnp.maximum(size, NEAR), order)
    found = jnp.where(size < NEAR, inside, amplitude * (even * jnp.cos(phase) - odd * jnp.sin(phase)))
    found = jnp.where(jnp.isinf(size), 0.0, found)
    found = jnp.where(jnp.isnan(x), x, found)
    return (jnp.sign(x) * found if order % 2 else found).astype(dtype)


def bessel_y(input, order):
    x, dtype = as_double(input)
    near = jnp.clip(x, 1e-30, NEAR)
    each = jnp.expand_dims(near, -1)
    wave = integral(lambda t: jnp.sin(each * jnp.sin(t) - order * t), jnp.full_like(x, math.pi), 64)
    fall = integral(
        lambda t: (jnp.exp(order * t) + (-1) ** order * jnp.exp(-order * t)) * jnp.exp(-each * jnp.sinh(t)),
        jnp.arcsinh(45 / near),
        160,
    )
    amplitude, even, odd, phase = far_phase(jnp.maximum(x, NEAR), order)
    found = jnp.where(x < NEAR, (wave - fall) / math.pi, amplitude * (even * jnp.sin(phase) + odd * jnp.cos(phase)))
    found = jnp.where(jnp.isinf(x), 0.0, found)
    found = jnp.where(x == 0, -jnp.inf, found)
    return jnp.where((x < 0) | jnp.isnan(x), jnp.nan, found).astype(dtype)


def scaled_bessel_k(x, order):
    """exp(x) K(x), of float64."""
    size = jnp.clip(x, 1e-30, 1e30)
    each = jnp.expand_dims(size, -1)
    found = integral(
        lambda t: jnp.exp(-2 * each * jnp.sinh(t / 2) ** 2) * jnp.cosh(order * t),
        2 * jnp.arcsinh(jnp.sqrt(25 / size)),
        160,
    )
    found = jnp.where(x == 0, jnp.inf, found)
    return jnp.where((x < 0) | jnp.isnan(x), jnp.nan, found)


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
    return (scaled_bessel_k(value, 0) * jnp.exp(-value)).astype(dtype)


@rule(torch.special.spherical_bessel_j0)
def spherical_bessel_j0(x):
    value, dtype = as_double(x)
    small = jnp.abs(value) < 0.5
    safe = jnp.where(small, 1.0, value)
    square = jnp.where(small, value, 0.0) ** 2
    series = 1 + square / -6 * (1 + square / -20 * (1 + square / -42 * (1 + square / -72 * (1 + square / -110))))
    return jnp.where(small, series, jnp.where(jnp.isinf(value), 0.0, jnp.sin(safe) / safe)).astype(dtype)


@rule(torch.special.airy_ai)
def airy_ai(x):
    value, dtype = as_double(x)
    size = jnp.maximum(jnp.abs(value), 1e-16)
    z = 2 / 3 * size**1.5
    above = jnp.sqrt(size / 3) / math.pi * scaled_bessel_k(z, 1 / 3) * jnp.exp(-z)
    near = jnp.minimum(z, NEAR)
    each = jnp.expand_dims(near, -1)
    wave, fall = 0, 0
    for order in (1 / 3, -1 / 3):
        wave = wave + integral(
            lambda t, order=order: jnp.cos(order * t - each * jnp.sin(t)), jnp.full_like(z, math.pi), 64
        )
        fall = fall + math.sin(order * math.pi) * integral(
            lambda t, order=order: jnp.exp(-order * t - each * jnp.sinh(t)), jnp.arcsinh(45 / near), 160
        )
    inside = jnp.sqrt(size) / 3 * (wave - fall) / math.pi
    far = jnp.maximum(z, NEAR)
    even, odd = far_series(far, lambda k: (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216 * k * (2 * k - 1) * far))
    phase = far - math.pi / 4
    outside = (even * jnp.cos(phase) + odd * jnp.sin(phase)) / (math.sqrt(math.pi) * size**0.25)
    found = jnp.where(value < 0, jnp.where(z < NEAR, inside, outside), above)
    return jnp.where(jnp.isnan(value), value, found).astype(dtype)
