"""torch.masked: reductions of what a mask keeps."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.reductions import over


def kept(x, mask, value, dtype=None):
    """What the mask leaves out set to a value."""
    x = x if dtype is None else x.astype(dtype)
    return x if mask is None else jnp.where(mask, x, jnp.asarray(value, x.dtype))


def counted(x, dim, keepdim, mask):
    """How many the mask keeps."""
    whole = jnp.ones(x.shape, x.dtype) if mask is None else jnp.broadcast_to(mask, x.shape).astype(x.dtype)
    return jnp.sum(whole, axis=over(dim), keepdims=keepdim)


@family("sum prod", "0 1")
@rule(torch.masked.sum)
def masked_sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return jnp.sum(kept(input, mask, 0, dtype), axis=over(dim), keepdims=keepdim)


@family("amax amin", "max min", "-jnp.inf jnp.inf")
@rule(torch.masked.amax)
def masked_amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return jnp.max(kept(input, mask, -jnp.inf, dtype), axis=over(dim), keepdims=keepdim)


@rule(torch.masked.mean)
def masked_mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    x = kept(input, mask, 0, dtype)
    return jnp.sum(x, axis=over(dim), keepdims=keepdim) / counted(x, dim, keepdim, mask)


@rule(torch.masked.logsumexp)
def masked_logsumexp(input, dim, *, keepdim=False, dtype=None, mask=None):
    return jax.nn.logsumexp(kept(input, mask, -jnp.inf, dtype), axis=over(dim), keepdims=keepdim)


@family("cumsum cumprod", "0 1")
@rule(torch.masked.cumsum)
def masked_cumsum(input, dim, *, dtype=None, mask=None):
    return jnp.cumsum(kept(input, mask, 0, dtype), axis=dim)


@family("softmax log_softmax")
@rule(torch.masked.softmax)
def masked_softmax(input, dim, *, dtype=None, mask=None):
    return jax.nn.softmax(kept(input, mask, -jnp.inf, dtype), axis=dim)
