"""torch: maxima, minima, medians and quantiles."""

import math
from collections import namedtuple

import oneflow
import torch

from rewriters.rule import Rank, Values, family, rule

MinMax = namedtuple("MinMax", ["min", "max"])


@family("max min")
@rule(torch.max)
def max(input):
    return oneflow.max(input)


@family("max min", "maximum minimum")
@rule(torch.max, torch.Tensor.max)
def max(input, other: oneflow.Tensor):
    return oneflow.maximum(input, other)


@family("max min")
@rule(torch.max, torch.Tensor.max)
def max(input, dim: int, keepdim=False):
    if dim == 0 and input.ndim == 0:
        return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))
    if not keepdim:
        return oneflow.max(input, dim)
    return oneflow.max(input, dim, keepdim=True)


@family("amax amin")
@rule(torch.amax, torch.Tensor.amax)
def amax(input: Rank[0], dim=(), keepdim=False):
    return input.clone()


@family("amax amin")
@rule(torch.amax, torch.Tensor.amax)
def amax(input, dim=(), keepdim=False):
    return oneflow.amax(input, dim, keepdim)


@rule(torch.aminmax, torch.Tensor.aminmax)
def aminmax(input, *, dim=None, keepdim=False):
    if input.ndim == 0:
        return MinMax(input.clone(), input.clone())
    axes = list(range(input.ndim)) if dim is None else dim
    return MinMax(oneflow.amin(input, axes, keepdim), oneflow.amax(input, axes, keepdim))


@family("argmax argmin")
@rule(torch.argmax, torch.Tensor.argmax)
def argmax(input, dim=None, keepdim=False):
    if dim is None:
        found = oneflow.argmax(input.reshape(-1))
        return found.reshape([1] * input.ndim) if keepdim else found
    if not keepdim:
        return oneflow.argmax(input, dim)
    return oneflow.argmax(input, dim, keepdim=True)


@rule(torch.median, torch.Tensor.median)
def median(input):
    return oneflow.median(input)


@rule(torch.median, torch.Tensor.median)
def median(input, dim, keepdim=False):
    if input.ndim == 0:
        return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))
    if not keepdim:
        return oneflow.median(input, dim)
    return oneflow.median(input, dim, keepdim=True)


@rule(torch.nanmedian, torch.Tensor.nanmedian)
def nanmedian(input):
    return nanmedian_along(input.reshape(-1), 0, False).values


@rule(torch.nanmedian, torch.Tensor.nanmedian)
def nanmedian(input, dim, keepdim=False):
    return nanmedian_along(input, dim, keepdim)


def nanmedian_along(input, dim, keepdim):
    """The lower of the middle elements that are numbers, and its index."""
    if input.ndim == 0:
        return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))
    missing = oneflow.isnan(input)
    order = oneflow.argsort(oneflow.masked_fill(input, missing, math.inf), dim=dim).to(oneflow.int64)
    count = oneflow.sum(oneflow.logical_not(missing).to(oneflow.int64), dim, True)
    middle = oneflow.clamp(oneflow.floor((count - 1) / 2).to(oneflow.int64), min=0)
    indices = oneflow.gather(order, dim, middle)
    values = oneflow.gather(input, dim, indices)
    return Values(values, indices) if keepdim else Values(values.squeeze(dim), indices.squeeze(dim))


def missing(input):
    """Where there is a NaN, as numbers."""
    return oneflow.isnan(input).to(oneflow.float32) if input.is_floating_point() else oneflow.zeros_like(input).float()


def extreme(input, dim, keepdim, function):
    lost = missing(input)
    if dim is None:
        return function(input) * math.nan if oneflow.sum(lost) > 0 else function(input)
    values, indices = function(input, dim, keepdim)
    some = oneflow.amax(lost, dim, keepdim) > 0
    first = oneflow.argmax(lost, dim, keepdim).to(oneflow.int64)
    if not input.is_floating_point():
        return Values(values, indices.to(oneflow.int64))
    return Values(oneflow.masked_fill(values, some, math.nan), oneflow.where(some, first, indices.to(oneflow.int64)))


def larger(input, other, function):
    found = function(input, other)
    if not found.is_floating_point():
        return found
    return oneflow.masked_fill(found, oneflow.isnan(input + other), math.nan)


@family("max min", "maximum minimum")
@rule("torch.max:nan", "torch.Tensor.max:nan")
def max_or_nan(input, dim=None, keepdim=False, *, other=None):
    other = dim if isinstance(dim, oneflow.Tensor) else other
    return extreme(input, dim, keepdim, oneflow.max) if other is None else larger(input, other, oneflow.maximum)


@family("argmax argmin", "max min")
@rule("torch.argmax:nan", "torch.Tensor.argmax:nan")
def argmax_or_nan(input, dim=None, keepdim=False):
    if dim is None:
        found = extreme(input.reshape(-1), 0, False, oneflow.max)[1]
        return found.reshape([1] * input.ndim) if keepdim else found
    return extreme(input, dim, keepdim, oneflow.max)[1]


@rule("torch.amax:nan", "torch.Tensor.amax:nan")
def amax_or_nan(input, dim=(), keepdim=False):
    dim = dim if dim != () else list(range(input.ndim))
    return oneflow.masked_fill(
        oneflow.amax(input, dim, keepdim), oneflow.amax(missing(input), dim, keepdim) > 0, math.nan
    )


@rule("torch.amin:nan", "torch.Tensor.amin:nan")
def amin_or_nan(input, dim=(), keepdim=False):
    dim = dim if dim != () else list(range(input.ndim))
    return oneflow.masked_fill(
        oneflow.amin(input, dim, keepdim), oneflow.amax(missing(input), dim, keepdim) > 0, math.nan
    )


@family("max min")
@rule(torch.Tensor.max)
def max_method(self):
    return self.max()


@family("max min")
@rule(torch.Tensor.max)
def max_method(self, dim: int):
    if dim == 0 and self.ndim == 0:
        return Values(self.clone(), oneflow.zeros_like(self, dtype=oneflow.int64))
    return self.max(dim)


@family("argmax argmin")
@rule(torch.Tensor.argmax)
def argmax_method(self, dim: int):
    return self.argmax(dim)


@rule(torch.argmax, torch.Tensor.argmax, torch.argmin, torch.Tensor.argmin)
def argmax(input: Rank[0], dim=None, keepdim=False):
    return oneflow.zeros_like(input, dtype=oneflow.int64)
