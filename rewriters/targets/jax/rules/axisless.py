"""Reductions of what has no axes, whose axis 0 torch knows and JAX does not."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import Rank, Values, family, rule


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
