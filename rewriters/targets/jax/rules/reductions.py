"""Sums, means and extremes: tensors to fewer axes."""

from collections import namedtuple

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import BoolTensor, ComplexTensor, FloatTensor, IntTensor, Values, becomes, family, rule
from rewriters.targets.jax.rules.promoted_dtypes import inexact

becomes(torch.trace, torch.Tensor.trace, jnp.trace)

MinMax = namedtuple("MinMax", ["min", "max"])


@family("sum prod")
@rule(torch.sum, torch.Tensor.sum)
def sum(input, *, dtype=None):
    return jnp.sum(input, dtype=dtype)


@family("sum prod mean")
@rule(torch.sum, torch.Tensor.sum)
def sum(input, dim, keepdim=False, *, dtype=None):
    return jnp.sum(input, axis=dim, dtype=dtype, keepdims=keepdim)


@rule(torch.sum, torch.Tensor.sum)
def sum(input, dim: list | tuple, keepdim=False, *, dtype=None):
    # torch sums over all axes where none is named
    if len(dim) == 0:
        return jnp.sum(input, dtype=dtype, keepdims=keepdim)
    return jnp.sum(input, axis=tuple(dim), dtype=dtype, keepdims=keepdim)


@family("sum prod")
@rule("torch.sum:bytes", "torch.Tensor.sum:bytes")
def sum_of_bytes(input, dim=None, keepdim=False, *, dtype=None):
    total = jnp.sum(input, axis=over(dim), dtype=dtype, keepdims=keepdim)
    return total.astype(jnp.int64) if total.dtype == jnp.uint64 and dtype is None else total


@family("all any")
@rule("torch.all:bytes", "torch.Tensor.all:bytes")
def all_of_bytes(input, dim=None, keepdim=False):
    found = jnp.all(input, axis=over(dim), keepdims=keepdim)
    return found.astype(jnp.uint8) if input.dtype == jnp.uint8 else found


@rule(torch.mean, torch.Tensor.mean)
def mean(input, *, dtype=None):
    return jnp.mean(input, dtype=dtype)


@rule(torch.mean, torch.Tensor.mean)
def mean(input, dim: list | tuple, keepdim=False, *, dtype=None):
    if len(dim) == 0:
        return jnp.mean(input, dtype=dtype, keepdims=keepdim)
    return jnp.mean(input, axis=tuple(dim), dtype=dtype, keepdims=keepdim)


@family("nansum nanmean")
@rule(torch.nansum, torch.Tensor.nansum)
def nansum(input, dim=None, keepdim=False, *, dtype=None):
    return jnp.nansum(input, axis=over(dim), dtype=dtype, keepdims=keepdim)


def over(dim):
    """The axes as JAX takes them: all where none is named."""
    return dim if dim is None or isinstance(dim, int) else tuple(dim) or None


def deviation(x, axis=None, ddof=0, keepdims=False):
    """The standard deviation; where it is 0 so is its gradient, as torch's: JAX's is NaN."""
    squares = jnp.var(x, axis=axis, ddof=ddof, keepdims=keepdims)
    none = squares == 0
    return jnp.where(none, 0, jnp.sqrt(jnp.where(none, 1, squares)))


@family("std var", "deviation jnp.var")
@rule(torch.std, torch.Tensor.std)
def std(input, unbiased: bool):
    return deviation(input, ddof=1 if unbiased else 0)


@family("std var", "deviation jnp.var")
@rule(torch.std, torch.Tensor.std)
def std(input, dim, unbiased: bool, keepdim=False):
    return deviation(input, axis=over(dim), ddof=1 if unbiased else 0, keepdims=keepdim)


@family("std var", "deviation jnp.var")
@rule(torch.std, torch.Tensor.std)
def std(input, *, correction=1):
    return deviation(input, ddof=1 if correction is None else correction)


@family("std var", "deviation jnp.var")
@rule(torch.std, torch.Tensor.std)
def std(input, dim: int, *, correction=1, keepdim=False):
    return deviation(input, axis=dim, ddof=1 if correction is None else correction, keepdims=keepdim)


@family("std var", "deviation jnp.var")
@rule(torch.std, torch.Tensor.std)
def std(input, dim=None, *, correction=1, keepdim=False):
    return deviation(input, axis=over(dim), ddof=1 if correction is None else correction, keepdims=keepdim)


@family("std var", "deviation jnp.var")
@rule(torch.std_mean)
def std_mean(input, dim=None, *args, unbiased=True, correction=1, keepdim=False):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if args:
        unbiased, keepdim = args[0], args[1] if len(args) > 1 else keepdim
    ddof = (1 if correction is None else correction) if unbiased else 0
    axis = over(dim)
    return deviation(input, axis=axis, ddof=ddof, keepdims=keepdim), jnp.mean(input, axis=axis, keepdims=keepdim)


@rule(torch.any, torch.Tensor.any)
def any(input):
    return jnp.any(input)


@rule(torch.all, torch.Tensor.all)
def all(input):
    return jnp.all(input)


@family("any all")
@rule(torch.any, torch.Tensor.any)
def any(input, dim, keepdim=False):
    return jnp.any(input, axis=dim, keepdims=keepdim)


@family("any all")
@rule(torch.any, torch.Tensor.any)
def any(input, dim: list | tuple, keepdim=False):
    return jnp.any(input, axis=tuple(dim), keepdims=keepdim)


@rule(torch.count_nonzero, torch.Tensor.count_nonzero)
def count_nonzero(input, dim=None):
    return jnp.count_nonzero(input, axis=over(dim))


@family("max min")
@rule(torch.max, torch.Tensor.max)
def max(input):
    return jnp.max(input)


@family("max min", "maximum minimum")
@rule(torch.max, torch.Tensor.max)
def max(input, other: jax.Array):
    return jnp.maximum(input, other)


@family("max min", "argmax argmin")
@rule(torch.max, torch.Tensor.max)
def max(input, dim: int, keepdim=False):
    return Values(jnp.max(input, axis=dim, keepdims=keepdim), jnp.argmax(input, axis=dim, keepdims=keepdim))


@family("amax amin", "max min")
@rule(torch.amax, torch.Tensor.amax)
def amax(input, dim=None, keepdim=False):
    return jnp.max(input, axis=over(dim), keepdims=keepdim)


@family("amax amin", "max min")
@rule(torch.amax, torch.Tensor.amax)
def amax(input, dim: int, keepdim=False):
    return jnp.max(input, axis=dim, keepdims=keepdim)


@rule(torch.aminmax, torch.Tensor.aminmax)
def aminmax(input, *, dim=None, keepdim=False):
    return MinMax(jnp.min(input, axis=dim, keepdims=keepdim), jnp.max(input, axis=dim, keepdims=keepdim))


@family("argmax argmin")
@rule(torch.argmax, torch.Tensor.argmax)
def argmax(input, dim=None):
    return jnp.argmax(input, axis=dim)


@family("argmax argmin")
@rule(torch.argmax, torch.Tensor.argmax)
def argmax(input, dim=None, *, keepdim):
    return jnp.argmax(input, axis=dim, keepdims=keepdim)


@family("argmax argmin")
@rule(torch.argmax, torch.Tensor.argmax)
def argmax(input, dim, keepdim):
    return jnp.argmax(input, axis=dim, keepdims=keepdim)


@rule(torch.logsumexp, torch.Tensor.logsumexp, torch.special.logsumexp)
def logsumexp(input, dim: int, keepdim=False):
    return jax.nn.logsumexp(input, axis=dim, keepdims=keepdim)


@rule(torch.logsumexp, torch.Tensor.logsumexp, torch.special.logsumexp)
def logsumexp(input, dim, keepdim=False):
    return jax.nn.logsumexp(inexact(input), axis=over(dim), keepdims=keepdim)


@rule(torch.logsumexp, torch.Tensor.logsumexp, torch.special.logsumexp)
def logsumexp(input: IntTensor | BoolTensor, dim, keepdim=False):
    return jax.nn.logsumexp(inexact(input), axis=over(dim), keepdims=keepdim)


@family("cumsum cumprod")
@rule(torch.cumsum, torch.Tensor.cumsum)
def cumsum(input: FloatTensor | ComplexTensor, dim, *, dtype=None):
    return jnp.cumsum(input, axis=dim, dtype=dtype)


@family("cumsum cumprod")
@rule(torch.cumsum, torch.Tensor.cumsum)
def cumsum(input: IntTensor | BoolTensor, dim, *, dtype=None):
    return jnp.cumsum(input, axis=dim, dtype=jnp.int64 if dtype is None else dtype)


@rule(torch.logcumsumexp, torch.Tensor.logcumsumexp)
def logcumsumexp(input, dim):
    return jax.lax.cumlogsumexp(input, axis=dim % input.ndim) if input.ndim else input


@family("cummax cummin", "greater_equal less_equal")
@rule(torch.cummax, torch.Tensor.cummax)
def cummax(input, dim):
    return best_so_far(jnp.greater_equal, input, dim)


def best_so_far(better, x, dim):
    """Values and places of the best of what came; of equals the last, and NaN is the best."""
    if x.ndim == 0:
        return Values(x, jnp.zeros((), jnp.int64))
    axis = dim % x.ndim
    places = jnp.broadcast_to(jnp.expand_dims(jnp.arange(x.shape[axis]), tuple(range(1, x.ndim - axis))), x.shape)

    def best(one, other):
        takes = better(other[0], one[0]) | jnp.isnan(other[0])
        takes &= ~jnp.isnan(one[0]) | jnp.isnan(other[0])
        return jnp.where(takes, other[0], one[0]), jnp.where(takes, other[1], one[1])

    _, found = jax.lax.associative_scan(best, (x, places), axis=axis)
    return Values(jnp.take_along_axis(x, found, axis), found)


@family("median nanmedian", "False True")
@rule(torch.median, torch.Tensor.median)
def median(input):
    return middle_of(input.reshape(-1), 0, without_nan=False)[0]


@family("median nanmedian", "False True")
@rule(torch.median, torch.Tensor.median)
def median(input, dim, *args, **kwargs):
    return middle_of(input, dim, *args, **kwargs, without_nan=False)


def middle_of(x, dim, keepdim=False, *, without_nan):
    """The lower of two in the middle, as torch has it."""
    if x.ndim == 0:
        return Values(x, jnp.zeros((), jnp.int64))
    order = jnp.argsort(x, axis=dim)
    missing = jnp.isnan(x).sum(axis=dim, keepdims=True)
    last = x.shape[dim] - 1
    middle = (last - missing) // 2 if without_nan else jnp.where(missing > 0, last, last // 2)
    if not without_nan:  # torch tells the first NaN
        place = jnp.where(
            missing > 0, jnp.argmax(jnp.isnan(x), axis=dim, keepdims=True), jnp.take_along_axis(order, middle, dim)
        )
    else:
        place = jnp.take_along_axis(order, jnp.maximum(middle, 0), dim)
    found = jnp.take_along_axis(x, place, dim)
    return Values(found, place) if keepdim else Values(found.squeeze(dim), place.squeeze(dim))


@rule(torch.mode, torch.Tensor.mode)
def mode(input, dim=-1, keepdim=False):
    if input.ndim == 0:
        return Values(input, jnp.zeros((), jnp.int64))
    rows = jnp.moveaxis(input, dim, -1)
    counts = (rows[..., :, None] == rows[..., None, :]).sum(-1)
    # the smallest of those that are most often, and its last place
    most = counts == counts.max(-1, keepdims=True)
    order = jnp.argsort(rows, axis=-1)
    first = jnp.argmax(jnp.take_along_axis(most, order, -1), axis=-1, keepdims=True)
    value = jnp.take_along_axis(rows, jnp.take_along_axis(order, first, -1), -1)
    place = rows.shape[-1] - 1 - jnp.argmax((rows == value)[..., ::-1], axis=-1, keepdims=True)
    value, place = jnp.moveaxis(value, -1, dim), jnp.moveaxis(place, -1, dim)
    return Values(value, place) if keepdim else Values(value.squeeze(dim), place.squeeze(dim))


@rule(torch.quantile, torch.Tensor.quantile)
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return jnp.quantile(input, jnp.asarray(q, input.dtype), axis=dim, method=interpolation, keepdims=keepdim)


@rule(torch.nanquantile, torch.Tensor.nanquantile)
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return jnp.nanquantile(input, jnp.asarray(q, input.dtype), axis=dim, method=interpolation, keepdims=keepdim)
