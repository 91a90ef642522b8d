"""Functions of each element."""

import math

import oneflow
import torch

from rewriters.rule import BoolTensor, ComplexTensor, FloatTensor, IntTensor, becomes, family, note, rule

becomes(torch.Tensor.isfinite, oneflow.isfinite)
becomes(torch.alias_copy, torch.detach_copy, oneflow.Tensor.clone)

note(
    torch.atan2,
    torch.arctan2,
    torch.Tensor.atan2,
    torch.Tensor.arctan2,
    "where both are exactly 0 the gradient is NaN, torch's is 0: leave such points out before, a mask behind is late",
)


@family("absolute fix", "abs trunc")
@rule(torch.absolute, torch.Tensor.absolute)
def absolute(input):
    return oneflow.abs(input)


@rule(torch.neg, torch.negative, torch.Tensor.neg, torch.Tensor.negative)
def neg(input: FloatTensor | ComplexTensor):
    return -input


@rule(torch.neg, torch.negative, torch.Tensor.neg, torch.Tensor.negative)
def neg(input):
    return input * -1  # OneFlow's neg makes float32 of integers


@rule(torch.Tensor.__neg__)
def minus(self: FloatTensor | ComplexTensor):
    return -self


@rule(torch.Tensor.__neg__)
def minus(self):
    return self * -1  # OneFlow's minus makes float32 of integers


@rule(torch.positive, torch.Tensor.positive, torch.Tensor.__pos__)
def positive(input):
    return input


@rule(torch.sign, torch.Tensor.sign, torch.sgn, torch.Tensor.sgn)
def sign(input: FloatTensor):
    return oneflow.sign(input)


@rule(torch.sign, torch.Tensor.sign, torch.sgn, torch.Tensor.sgn)
def sign(input):
    return oneflow.sign(input).to(input.dtype)  # of integers OneFlow gives float32


@rule(torch.square, torch.Tensor.square)
def square(input: BoolTensor):
    return input.to(oneflow.int64)


@rule(torch.square, torch.Tensor.square)
def square(input: FloatTensor):
    return oneflow.square(input)


@rule(torch.square, torch.Tensor.square)
def square(input):
    return input * input


@rule(torch.signbit, torch.Tensor.signbit)
def signbit(input):
    # 1 / -0.0 is -inf
    return (input < 0) | ((input == 0) & (1 / input < 0)) if input.is_floating_point() else input < 0


@rule(torch.frac, torch.Tensor.frac)
def frac(input):
    return input - oneflow.trunc(input)


@rule(torch.deg2rad, torch.Tensor.deg2rad)
def deg2rad(input):
    return input * (math.pi / 180)


@rule(torch.rad2deg, torch.Tensor.rad2deg)
def rad2deg(input):
    return input * (180 / math.pi)


@rule(torch.exp2, torch.Tensor.exp2, torch.special.exp2)
def exp2(input):
    return oneflow.pow(2.0, input)


@rule(torch.sinc, torch.Tensor.sinc, torch.special.sinc)
def sinc(input):
    at_zero = input == 0
    angle = oneflow.masked_fill(input, at_zero, 1.0) * math.pi
    return oneflow.masked_fill(oneflow.sin(angle) / angle, at_zero, 1.0)


@rule(torch.logit, torch.Tensor.logit, torch.special.logit)
def logit(input, eps=None):
    input = input if input.is_floating_point() else input.float()
    if eps is not None:
        input = oneflow.clamp(input, eps, 1 - eps)
    return oneflow.log(input / (1 - input))


@rule(torch.nan_to_num, torch.Tensor.nan_to_num)
def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    if not input.is_floating_point():
        return input.clone()
    limits = oneflow.finfo(input.dtype)
    filled = oneflow.masked_fill(input, oneflow.isnan(input), 0.0 if nan is None else nan)
    filled = oneflow.masked_fill(filled, input == math.inf, limits.max if posinf is None else posinf)
    return oneflow.masked_fill(filled, input == -math.inf, limits.min if neginf is None else neginf)


@rule(torch.round, torch.Tensor.round, torch.special.round)
def round(input, *, decimals=0):
    if decimals == 0:
        return oneflow.round(input)
    if decimals > 0:
        return oneflow.round(input * 10.0**decimals) / 10.0**decimals
    return oneflow.round(input / 10.0**-decimals) * 10.0**-decimals


@rule(torch.isposinf, torch.Tensor.isposinf)
def isposinf(input):
    return input == math.inf


@rule(torch.isneginf, torch.Tensor.isneginf)
def isneginf(input):
    return input == -math.inf


@rule(torch.isreal, torch.Tensor.isreal)
def isreal(input):
    return oneflow.ones_like(input, dtype=oneflow.bool)


@rule(
    torch.real, torch.Tensor.real, torch.conj, torch.Tensor.conj, torch.resolve_conj, torch.Tensor.resolve_conj,
    torch.resolve_neg, torch.Tensor.resolve_neg, torch.conj_physical, torch.Tensor.conj_physical,
)  # fmt: skip
def real(input):
    return input  # OneFlow's tensors are all real


@rule(torch.Tensor.conj_physical_)
def conj_physical_(self):
    return self


@rule(torch.angle, torch.Tensor.angle)
def angle(input: IntTensor | BoolTensor):
    return oneflow.where(input.long() < 0, oneflow.full(input.shape, math.pi), oneflow.zeros(input.shape))


@rule(torch.angle, torch.Tensor.angle)
def angle(input):
    flat = oneflow.where(input < 0, oneflow.full_like(input, math.pi), oneflow.zeros_like(input))
    return oneflow.where(oneflow.isnan(input), input, flat)


@rule(torch.clone)
def clone(input, *, memory_format=None):
    return input.clone()


@rule(torch.fill)
def fill(input, value):
    return oneflow.full_like(input, float(value))


@rule(torch.threshold)
def threshold(input, threshold, value, inplace=False):
    return oneflow.nn.functional.threshold(input, threshold=threshold, value=value)


class InverseErf(oneflow.autograd.Function):
    """OneFlow's erfinv has no backward, and is short of digits near the ends: a step of Newton's there."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        found, size = oneflow.erfinv(x), oneflow.abs(x)
        missing = oneflow.erfc(oneflow.abs(found)) - (1 - size)
        step = oneflow.sign(x) * missing * (math.sqrt(math.pi) / 2) * oneflow.exp(found * found)
        return oneflow.where(oneflow.logical_and(size > 0.5, size < 1), found + step, found)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (math.sqrt(math.pi) / 2) * oneflow.exp(InverseErf.apply(x) ** 2)


@rule(torch.erfinv, torch.Tensor.erfinv, torch.special.erfinv)
def erfinv(input):
    return InverseErf.apply(input if input.is_floating_point() else input.to(oneflow.get_default_dtype()))


@rule(torch.Tensor.erfinv_)
def erfinv_(self):
    self[...] = InverseErf.apply(self.clone())
    return self
