"""torch: maxima, minima, medians and quantiles."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import BoolTensor, Rank, family, rule

MinMax = namedtuple("MinMax", ["min", "max"])


@family("max min median nanmedian", "paddle.max paddle.min paddle.compat.median paddle.compat.nanmedian")
@rule(torch.max, torch.Tensor.max)
def max(input):
    return paddle.max(input)


@family("max min", "maximum minimum")
@rule(torch.max, torch.Tensor.max)
def max(input, other: paddle.Tensor):
    return paddle.maximum(input, other)


@family("max min")
@rule(torch.max, torch.Tensor.max)
def max(input, dim: int):
    return paddle.compat.max(input, dim)


@family("max min")
@rule(torch.max, torch.Tensor.max)
def max(input, dim: int, keepdim):
    return paddle.compat.max(input, dim, keepdim=keepdim)


# Paddle's take no truth values.
@family("max min", "any all")
@rule(torch.max, torch.Tensor.max)
def max(input: BoolTensor):
    return input.any()


@family("amax amin", "any all")
@rule(torch.amax, torch.Tensor.amax)
def amax(input: BoolTensor, dim, keepdim=False):
    return paddle.any(input, axis=dim, keepdim=keepdim)


@family("amax amin")
@rule(torch.amax, torch.Tensor.amax)
def amax(input, dim=(), keepdim=False):
    return paddle.amax(input, axis=dim, keepdim=keepdim)


@rule(torch.aminmax, torch.Tensor.aminmax)
def aminmax(input, *, dim=None, keepdim=False):
    return MinMax(paddle.amin(input, axis=dim, keepdim=keepdim), paddle.amax(input, axis=dim, keepdim=keepdim))


@family("argmax argmin")
@rule(torch.argmax, torch.Tensor.argmax)
def argmax(input, dim=None, keepdim=False):
    return paddle.argmax(input, axis=dim, keepdim=keepdim)


@family("median nanmedian")
@rule(torch.median, torch.Tensor.median)
def median(input, dim, keepdim=False):
    return paddle.compat.median(input, dim, keepdim)


def with_slope(function, x, q, axis, keepdim, interpolation):
    """A quantile with its gradient in q, which Paddle leaves out: the step to the next element where it is linear."""
    found = function(x, q, axis=axis, keepdim=keepdim, interpolation=interpolation)
    if q.stop_gradient or interpolation != "linear":
        return found
    step = function(x, q, axis=axis, keepdim=keepdim, interpolation="higher")
    step = step - function(x, q, axis=axis, keepdim=keepdim, interpolation="lower")
    steps = (~x.isnan()).astype(x.dtype).sum(axis=axis, keepdim=keepdim) - 1
    return found + (q - q.detach()).reshape([-1] * q.ndim + [1] * (found.ndim - q.ndim)) * (step * steps)


@family("quantile nanquantile")
@rule(torch.quantile, torch.Tensor.quantile)
def quantile(input, q: paddle.Tensor, dim=None, keepdim=False, *, interpolation="linear"):
    return with_slope(paddle.quantile, input, q, dim if input.ndim else None, keepdim, interpolation)


@family("quantile nanquantile")
@rule(torch.quantile, torch.Tensor.quantile)
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    if dim is not None and input.ndim == 0:
        dim = None
    return paddle.quantile(input, q, axis=dim, keepdim=keepdim, interpolation=interpolation)


@rule(torch.argmax, torch.Tensor.argmax, torch.argmin, torch.Tensor.argmin)
def argmax(input: Rank[0], dim=None, keepdim=False):
    return paddle.zeros([], dtype="int64")
