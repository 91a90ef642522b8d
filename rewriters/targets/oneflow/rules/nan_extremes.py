"""Extremes that give NaN where there is one, as torch's do: for files that speak of NaN. OneFlow's pass it over."""

import math

import oneflow

from rewriters.rule import Values, rule


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


@rule("torch.max:nan", "torch.Tensor.max:nan")
def max_or_nan(input, dim=None, keepdim=False, *, other=None):
    other = dim if isinstance(dim, oneflow.Tensor) else other
    return extreme(input, dim, keepdim, oneflow.max) if other is None else larger(input, other, oneflow.maximum)


@rule("torch.min:nan", "torch.Tensor.min:nan")
def min_or_nan(input, dim=None, keepdim=False, *, other=None):
    other = dim if isinstance(dim, oneflow.Tensor) else other
    return extreme(input, dim, keepdim, oneflow.min) if other is None else larger(input, other, oneflow.minimum)


@rule("torch.argmax:nan", "torch.Tensor.argmax:nan")
def argmax_or_nan(input, dim=None, keepdim=False):
    if dim is None:
        return extreme(input.reshape(-1), 0, False, oneflow.max)[1]
    return extreme(input, dim, keepdim, oneflow.max)[1]


@rule("torch.argmin:nan", "torch.Tensor.argmin:nan")
def argmin_or_nan(input, dim=None, keepdim=False):
    if dim is None:
        return extreme(input.reshape(-1), 0, False, oneflow.min)[1]
    return extreme(input, dim, keepdim, oneflow.min)[1]


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


@rule("torch.maximum:nan", "torch.Tensor.maximum:nan")
def maximum_or_nan(input, other):
    return larger(input, other, oneflow.maximum)


@rule("torch.minimum:nan", "torch.Tensor.minimum:nan")
def minimum_or_nan(input, other):
    return larger(input, other, oneflow.minimum)
