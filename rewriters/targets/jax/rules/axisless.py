"""Functions of what has no axes, whose axis 0 torch knows and JAX does not."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import Rank, Values, family, rule
from rewriters.targets.jax.rules.reductions import deviation


@family("sum prod mean")
@rule(torch.sum, torch.Tensor.sum)
def sum(input: Rank[0], dim, keepdim=False, *, dtype=None):
    return jnp.sum(input, dtype=dtype)


@family("any all")
@rule(torch.any, torch.Tensor.any)
def any(input: Rank[0], dim, keepdim=False):
    return jnp.any(input)


@family("amax amin", "max min")
@rule(torch.amax, torch.Tensor.amax)
def amax(input: Rank[0], dim=None, keepdim=False):
    return jnp.max(input)


@family("argmax argmin")
@rule(torch.argmax, torch.Tensor.argmax)
def argmax(input: Rank[0], dim=None, keepdim=False):
    return jnp.zeros((), jnp.int64)


@family("max min")
@rule(torch.max, torch.Tensor.max)
def max(input: Rank[0], dim: int, keepdim=False):
    return Values(input, jnp.zeros((), jnp.int64))


@family("cumsum cumprod", "sum prod")
@rule(torch.cumsum, torch.Tensor.cumsum)
def cumsum(input: Rank[0], dim, *, dtype=None):
    return jnp.sum(input, dtype=dtype)


@rule(torch.logsumexp, torch.Tensor.logsumexp, torch.special.logsumexp)
def logsumexp(input: Rank[0], dim, keepdim=False):
    return input


@family("softmax log_softmax")
@rule(torch.softmax, torch.Tensor.softmax)
def softmax(input: Rank[0], dim, dtype=None):
    return jax.nn.softmax(input if dtype is None else input.astype(dtype), axis=None)


@family("nansum nanmean")
@rule(torch.nansum, torch.Tensor.nansum)
def nansum(input: Rank[0], dim, keepdim=False, *, dtype=None):
    return jnp.nansum(input, dtype=dtype)


@family("std var", "deviation jnp.var")
@rule(torch.std, torch.Tensor.std)
def std(input: Rank[0], dim: int, *, correction=1, keepdim=False):
    return deviation(input, ddof=1 if correction is None else correction)


@family("std var", "deviation jnp.var")
@rule(torch.std, torch.Tensor.std)
def std(input: Rank[0], dim: int, unbiased: bool, keepdim=False):
    return deviation(input, ddof=1 if unbiased else 0)


@rule(torch.count_nonzero, torch.Tensor.count_nonzero)
def count_nonzero(input: Rank[0], dim=None):
    return jnp.count_nonzero(input)


@rule(torch.argsort, torch.Tensor.argsort)
def argsort(input: Rank[0], dim=-1, descending=False):
    return jnp.zeros((), jnp.int64)


@family("quantile nanquantile")
@rule(torch.quantile, torch.Tensor.quantile)
def quantile(input: Rank[0], q, dim=None, keepdim=False, *, interpolation="linear"):
    return jnp.quantile(input, jnp.asarray(q, input.dtype), method=interpolation)


@rule(torch.Tensor.flip)
def flip(self: Rank[0], *dims):
    return self


@rule(torch.movedim, torch.Tensor.movedim, torch.moveaxis, torch.Tensor.moveaxis)
def movedim(input: Rank[0], source, destination):
    return input


@rule(torch.nn.functional.pairwise_distance, torch.pairwise_distance)
def pairwise_distance(x1: Rank[0], x2: Rank[0], p=2.0, eps=1e-06, keepdim=False):
    return jnp.abs(x1 - x2 + eps)


@rule(torch.nn.functional.cosine_similarity, torch.cosine_similarity)
def cosine_similarity(x1: Rank[0], x2: Rank[0], dim=1, eps=1e-08):
    return x1 * x2 / (jnp.maximum(jnp.abs(x1), eps) * jnp.maximum(jnp.abs(x2), eps))
