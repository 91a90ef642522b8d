"""Functions of two tensors, element by element."""

import math

import oneflow
import torch

from rewriters.rule import BoolTensor, FloatTensor, IntTensor, becomes, family, rule
from rewriters.targets.oneflow.rules.extremes import larger
from rewriters.targets.oneflow.rules.promoted_dtypes import alike, category, filled, floating
from rewriters.targets.oneflow.rules.promotion_of_operators import promoted_pow

becomes(torch.isclose, torch.Tensor.isclose, oneflow.isclose)


@rule(torch.logaddexp, torch.Tensor.logaddexp)
def logaddexp(input, other):
    # of two equal infinities OneFlow's gives NaN
    found = oneflow.logaddexp(input, other)
    return oneflow.where((input == other) & oneflow.isinf(input), input, found)


@rule(torch.sub, torch.Tensor.sub, torch.subtract, torch.Tensor.subtract)
def sub(input, other, *, alpha=1):
    if alpha == 1:
        return input - other
    return input - alpha * other


@rule(torch.rsub)
def rsub(input, other, *, alpha=1):
    if alpha == 1:
        return other - input
    return other - alpha * input


@rule(torch.multiply, torch.Tensor.multiply)
def multiply(input, other):
    return input * other


@rule(torch.pow, torch.Tensor.pow, torch.Tensor.__pow__)
def power(input: IntTensor, exponent: int):
    return promoted_pow(input, exponent)  # OneFlow's stops at the largest number, torch's wraps


@rule(torch.pow)
def power(input: int, exponent: IntTensor):
    return promoted_pow(input, exponent)


@rule(torch.pow, torch.Tensor.pow, torch.Tensor.__pow__)
def power(input, exponent):
    return input**exponent


@rule(torch.float_power, torch.Tensor.float_power)
def float_power(input, exponent):
    input = input.to(oneflow.float64) if isinstance(input, oneflow.Tensor) else input
    return oneflow.pow(input, exponent.to(oneflow.float64) if isinstance(exponent, oneflow.Tensor) else exponent)


@rule(torch.logaddexp2, torch.Tensor.logaddexp2)
def logaddexp2(input, other):
    return oneflow.logaddexp(input * math.log(2), other * math.log(2)) / math.log(2)


@family("fmax fmin", "larger smaller", "maximum minimum")
@rule(torch.fmax, torch.Tensor.fmax)
def fmax(input, other):
    input, other = oneflow.broadcast_tensors(*alike(input, other))
    larger = oneflow.maximum(input, other)
    return oneflow.where(oneflow.isnan(input), other, oneflow.where(oneflow.isnan(other), input, larger))


@rule(torch.allclose, torch.Tensor.allclose)
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    # by position OneFlow takes atol first
    return oneflow.allclose(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan)


@family("less less_equal", "lt le")
@rule(torch.less)
def less(input, other):
    return oneflow.lt(input, other)


@family(
    ".less .less_equal .greater .greater_equal .not_equal",
    "less_method less_equal_method greater_method greater_equal_method not_equal_method",
    "< <= > >= !=",
)
@rule(torch.Tensor.less)
def less_method(self, other):
    return self < other


@rule(torch.clamp, torch.clip)
def clamp(input, min: oneflow.Tensor, max: oneflow.Tensor):
    return oneflow.minimum(oneflow.maximum(input, min), max)


@rule(torch.clamp, torch.clip)
def clamp(input, min: int | float | None = None, max: int | float | None = None):
    if max is None:
        return oneflow.clamp(input, min)
    return oneflow.clamp(input, min, max)


@rule(torch.clamp, torch.clip)
def clamp(input, min=None, max=None):
    if isinstance(min, oneflow.Tensor):
        input, min = oneflow.maximum(input, min), None
    if isinstance(max, oneflow.Tensor):
        input, max = oneflow.minimum(input, max), None
    return input if min is None and max is None else oneflow.clamp(input, min=min, max=max)


@rule(torch.Tensor.clamp, torch.Tensor.clip)
def clamp_method(self, min: oneflow.Tensor, max: oneflow.Tensor):
    return oneflow.minimum(oneflow.maximum(self, min), max)


@rule(torch.Tensor.clamp, torch.Tensor.clip)
def clamp_method(self, min: int | float | None = None, max: int | float | None = None):
    if max is None:
        return self.clamp(min)
    return self.clamp(min, max)


@rule(torch.Tensor.clamp, torch.Tensor.clip)
def clamp_method(self, min=None, max=None):
    if isinstance(min, oneflow.Tensor):
        self, min = oneflow.maximum(self, min), None
    if isinstance(max, oneflow.Tensor):
        self, max = oneflow.minimum(self, max), None
    return self if min is None and max is None else self.clamp(min=min, max=max)


@family("min max")
@rule(torch.clamp_min, torch.Tensor.clamp_min)
def clamp_min(input, min: int | float):
    return oneflow.clamp(input, min=min)


@family("min max", "maximum minimum")
@rule(torch.clamp_min, torch.Tensor.clamp_min)
def clamp_min(input, min: oneflow.Tensor):
    return oneflow.maximum(input, min)


@rule(torch.dist, torch.Tensor.dist)
def dist(input, other, p=2):
    return oneflow.linalg.vector_norm(input - other, ord=p)


@rule(torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip)
def clamp_integers(input: IntTensor, min: float, max: int | float | None = None):
    return oneflow.clamp(input.to(oneflow.float32), min, max)


@rule(torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip)
def clamp_integers(input: IntTensor, min: int | float | None = None, *, max: float):
    return oneflow.clamp(input.to(oneflow.float32), min=min, max=max)


@rule(torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip)
def clamp_integers(input: IntTensor, min: int | None, max: float):
    return oneflow.clamp(input.to(oneflow.float32), min, max)


@rule(torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip)
def clamp_truths(input: BoolTensor, min=None, max=None):
    return clamp(input.to(oneflow.int64), min, max)


@rule("torch.clamp:fraction", "torch.clip:fraction", "torch.Tensor.clamp:fraction", "torch.Tensor.clip:fraction")
def clamp_by_fraction(input, min=None, max=None):
    return clamp(input if input.is_floating_point() else input.to(oneflow.get_default_dtype()), min, max)


@family("min max")
@rule("torch.clamp_min:fraction", "torch.Tensor.clamp_min:fraction")
def clamp_min_by_fraction(input, min):
    return clamp(input if input.is_floating_point() else input.to(oneflow.get_default_dtype()), min=min)


@family("min max")
@rule(torch.clamp_min, torch.Tensor.clamp_min)
def clamp_min(input: IntTensor, min: float):
    return oneflow.clamp(input.to(oneflow.float32), min=min)


@family("maximum minimum")
@rule("torch.maximum:nan", "torch.Tensor.maximum:nan")
def maximum_or_nan(input, other):
    return larger(input, other, oneflow.maximum)


@rule(torch.div, torch.Tensor.div, torch.divide, torch.Tensor.divide)
def div(input, other, *, rounding_mode=None):
    if rounding_mode is None:
        return input / other
    if rounding_mode == "floor":
        return floor_divide(input, other)
    return truncated(input, other)


@rule(torch.atan2, torch.Tensor.atan2, torch.arctan2, torch.Tensor.arctan2)
def atan2(input, other):
    return oneflow.atan2(*floating(input, other))


@rule(torch.hypot, torch.Tensor.hypot)
def hypot(input, other):
    input, other = alike(input, other)
    return oneflow.sqrt(input * input + other * other)


@rule(torch.heaviside, torch.Tensor.heaviside)
def heaviside(input, values):
    input, values = oneflow.broadcast_tensors(*alike(input, values))
    step = oneflow.where(input == 0, values, (input > 0).to(input.dtype))
    # of NaN torch gives 0; OneFlow's compares a single one as larger
    return oneflow.where(oneflow.isnan(input), oneflow.zeros_like(input), step) if input.is_floating_point() else step


@rule(torch.copysign, torch.Tensor.copysign)
def copysign(input, other):
    input, other = floating(input, other)
    negative = (other < 0) | ((other == 0) & (1 / other < 0))
    sign = 1 - 2 * negative.to(input.dtype)
    if other.requires_grad:  # torch's gradient of it is zeros
        sign = sign + other.masked_fill(oneflow.ones_like(other, dtype=oneflow.bool), 0)
    return oneflow.abs(input) * sign


@rule(torch.xlogy, torch.Tensor.xlogy, torch.special.xlogy)
def xlogy(input, other):
    input, other = floating(input, other)
    unused = (input == 0) & oneflow.logical_not(oneflow.isnan(other))
    return input * oneflow.log(oneflow.masked_fill(other, unused, 1.0))


@rule(torch.ldexp, torch.Tensor.ldexp)
def ldexp(input, other):
    input, other = floating(input, other)
    return input * oneflow.pow(2.0, other)


def quotient_of(whole, rest, other):
    """Of integers of any size, ``(whole - rest) / other``: OneFlow divides them as float64, and what is left of large
    ones is divided again.
    """
    left, by = whole.to(oneflow.int64) - rest.to(oneflow.int64), other.to(oneflow.int64)
    found = 0
    for _ in range(2):
        part = oneflow.round(left.to(oneflow.float64) / by.to(oneflow.float64)).to(oneflow.int64)
        found, left = part + found, left - part * by
    return found.to(whole.dtype)


def truncated(input, other):
    input, other = filled(*alike(input, other))
    if category(input.dtype) < 2:
        return quotient_of(input, oneflow.fmod(input, other), other)
    return oneflow.trunc(input / other)


@rule(torch.floor_divide, torch.Tensor.floor_divide, torch.Tensor.__floordiv__)
def floor_divide(input: FloatTensor, other: int):
    return input // other


@rule(torch.floor_divide, torch.Tensor.floor_divide, "torch.Tensor.__floordiv__:mixed", torch.Tensor.__floordiv__)
def floor_divide(input, other):
    # OneFlow's // rounds integers towards zero, torch down; between tensors it does not broadcast
    input, other = filled(*alike(input, other))
    if category(input.dtype) < 2:
        return quotient_of(input, remainder(input, other), other)
    whole = input - remainder(input, other)
    return oneflow.where(other == 0, input / other, oneflow.round(whole / other))


@rule(torch.Tensor.__rfloordiv__)
def rfloordiv(self, other):
    return floor_divide(other, self)


def asking(other, like):
    """A divisor that asks for a gradient where what it divides does: beside another OneFlow's fmod has none."""
    wanted = oneflow.is_grad_enabled() and like.requires_grad and not other.requires_grad
    return other.clone().requires_grad_() if wanted else other


@rule(torch.fmod, torch.Tensor.fmod)
def fmod(input, other: int | float):
    return oneflow.fmod(input, other)


@rule(torch.fmod, torch.Tensor.fmod)
def fmod(input, other: oneflow.Tensor):
    return oneflow.fmod(input, asking(other, input))


@rule(torch.remainder, torch.Tensor.remainder, "torch.Tensor.__mod__:mixed", torch.Tensor.__mod__)
def remainder(input, other):
    # OneFlow's % has the dividend's sign, torch's the divisor's
    input, other = filled(*alike(input, other))
    rest = oneflow.fmod(input, asking(other, input))
    off = ((rest < 0) & (other > 0)) | ((rest > 0) & (other < 0))
    return rest + off.to(rest.dtype) * other


@rule(torch.Tensor.__rmod__)
def rmod(self, other: str):
    return other % self


@rule(torch.Tensor.__rmod__)
def rmod(self, other: int | float | oneflow.Tensor):
    return remainder(other, self)
