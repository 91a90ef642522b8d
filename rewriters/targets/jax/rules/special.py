"""torch.special, as far as it is not among the functions of torch."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.arithmetic import xlogy_of
from rewriters.targets.jax.rules.promoted_dtypes import alike, inexact


@rule(torch.special.entr)
def entr(input):
    return jax.scipy.special.entr(inexact(input))


@rule(torch.special.erfcx)
def erfcx(input):
    x = inexact(input)
    wide = x.astype(jnp.float64)
    near = jnp.exp(jnp.minimum(wide, 20) ** 2) * jax.scipy.special.erfc(jnp.minimum(wide, 20))
    far = jnp.maximum(wide, 20)
    series = (1 - 1 / (2 * far**2) + 3 / (4 * far**4) - 15 / (8 * far**6)) / (far * jnp.sqrt(jnp.pi))
    return jnp.where(wide < 20, near, series).astype(x.dtype)


@family("i0e i1 i1e ndtr ndtri log_ndtr")
@rule(torch.special.i0e)
def i0e(input):
    return jax.scipy.special.i0e(inexact(input))


@rule(torch.special.zeta)
def zeta(input, other):
    left, right = (inexact(jnp.asarray(value)) for value in alike(input, other))
    return jax.scipy.special.zeta(left, right)


@rule(torch.igamma, torch.Tensor.igamma, torch.special.gammainc)
def igamma(input, other):
    return jax.scipy.special.gammainc(*alike(input, other))


@rule(torch.igammac, torch.Tensor.igammac, torch.special.gammaincc)
def igammac(input, other):
    return jax.scipy.special.gammaincc(*alike(input, other))


@rule(torch.special.softmax)
def special_softmax(input, dim, *, dtype=None):
    return jax.nn.softmax(input if dtype is None else input.astype(dtype), axis=dim if input.ndim else None)


@rule(torch.special.log_softmax)
def special_log_softmax(input, dim, *, dtype=None):
    return jax.nn.log_softmax(input if dtype is None else input.astype(dtype), axis=dim if input.ndim else None)


@rule(torch.special.xlog1py)
def xlog1py(input, other):
    left, right = (inexact(jnp.asarray(value)) for value in alike(input, other))
    return xlogy_of(left, jnp.log1p, right)


def recurrence(x, n, zeroth, first, following):
    """The polynomial of degree n at x, both broadcast, by its three-term recurrence; zero for negative degrees."""
    degree = n if isinstance(n, jax.Array) else jnp.asarray(n, jnp.float32)
    x = x if isinstance(x, jax.Array) else jnp.asarray(x, degree.dtype)
    x, degree = alike(x, degree)
    x, degree = jnp.broadcast_arrays(inexact(x), jax.lax.stop_gradient(inexact(degree)))
    degree = jnp.trunc(degree)
    before, current = jnp.full_like(x, zeroth), first(x)
    found = jnp.where(degree == 0, before, jnp.where(degree == 1, current, 0))
    for k in range(1, int(degree.max()) if degree.size else 0):
        before, current = current, following(k, x, current, before)
        found = jnp.where(degree == k + 1, current, found)
    return found
