"""torch.masked: reductions of what a mask keeps."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.norms import vector_norm_of
from rewriters.targets.jax.rules.promoted_dtypes import alike, inexact
from rewriters.targets.jax.rules.reductions import middle_of, over


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


def least(x):
    return -jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min


def greatest(x):
    return jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).max


@family("argmax argmin", "least greatest")
@rule(torch.masked.argmax)
def masked_argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    found = jnp.argmax(kept(input, mask, least(input)), axis=dim, keepdims=keepdim)
    return found.astype(input.dtype if dtype is None else dtype)  # torch's too has the input's


@rule(torch.masked.var)
def masked_var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    x = inexact(input) if dtype is None else input.astype(dtype)
    number = jnp.sum(jnp.broadcast_to(True if mask is None else mask, x.shape), axis=over(dim), keepdims=True)
    mean = jnp.sum(kept(x, mask, 0), axis=over(dim), keepdims=True) / number.astype(x.dtype)
    squares = jnp.abs(x - mean) ** 2
    total = jnp.sum(kept(squares, mask, 0), axis=over(dim), keepdims=keepdim)
    less = (0 if unbiased is False else 1) if correction is None else correction
    left = jnp.maximum(number - less, 0).astype(total.dtype)
    return (total / left.reshape(total.shape)).astype(x.dtype)


@rule(torch.masked.std)
def masked_std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    return jnp.sqrt(masked_var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask))


@rule(torch.masked.norm)
def masked_norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    return vector_norm_of(kept(input, mask, jnp.inf if ord == -jnp.inf else 0, dtype), ord, over(dim), keepdim)


@rule(torch.masked.normalize)
def masked_normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    length = masked_norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return kept(input, mask, 0, dtype) / jnp.maximum(length, eps)


@rule(torch.masked.median)
def masked_median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    # torch's does nothing with the dtype
    return input if input.ndim == 0 else middle_of(kept(input, mask, jnp.nan), dim, keepdim, without_nan=True)[0]


@rule(torch.masked.logaddexp)
def masked_logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    input, other = alike(input, other)
    found = jnp.logaddexp(kept(input, input_mask, -jnp.inf), kept(other, other_mask, -jnp.inf))
    return found if dtype is None else found.astype(dtype)


@rule(torch.masked.softmin)
def masked_softmin(input, dim, *, dtype=None, mask=None):
    return jax.nn.softmax(-kept(input, mask, greatest(input), dtype), axis=dim)


@rule(
    torch.masked.is_masked_tensor,
    torch.nn.utils.parametrize.is_traceable_wrapper_subclass,
    torch.nn.utils.parametrize.is_opaque_reference_type,
)
def is_masked_tensor(obj):
    # there are no tensors of these kinds
    return False
