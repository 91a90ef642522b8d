"""torch: operators between several dtypes."""

import numpy
import oneflow
import torch

from rewriters.rule import BoolTensor, FloatTensor, IntTensor, family, rule
from rewriters.targets.oneflow.rules.promoted_dtypes import alike, category, filled, result_type


def counted(value):
    """Truth values as 0 and 1."""
    if isinstance(value, oneflow.Tensor):
        return value.to(oneflow.int64) if value.dtype == oneflow.bool else value
    return int(value) if isinstance(value, bool) else value


@rule("torch.Tensor.__add__:mixed")
def promoted_add(input, other):
    input, other = alike(input, other)
    if isinstance(input, oneflow.Tensor) and input.dtype == oneflow.bool:
        return oneflow.logical_or(*filled(input, other))
    if isinstance(other, oneflow.Tensor) and other.dtype == oneflow.bool:
        return oneflow.logical_or(*filled(input, other))
    return input + other


@rule("torch.Tensor.__mul__:mixed", "torch.mul:mixed", "torch.Tensor.mul:mixed")
def promoted_mul(input, other):
    input, other = alike(input, other)
    if is_of_bools(input, other):
        return oneflow.logical_and(*filled(input, other))
    input, other = (int(value) if isinstance(value, bool) else value for value in (input, other))
    return input * other


@rule("torch.Tensor.__sub__:mixed")
def promoted_sub(input, other):
    input, other = alike(input, other)
    return input - other


@rule("torch.Tensor.__add__:bytes", "torch.Tensor.add:bytes", "torch.add:bytes")
def sum_of_bytes(input, other, *, alpha=1):
    # OneFlow's stops at the largest number, torch's wraps
    small = input.dtype == other.dtype and input.dtype in (oneflow.uint8, oneflow.int8)
    if small:
        return (input.int() + other.int() * alpha).to(input.dtype)
    return promoted_add(input, other if alpha == 1 else promoted_mul(other, alpha))


@rule("torch.Tensor.__rsub__:bytes")
def rsub_of_bytes(self: IntTensor, other: float):
    return other - self.float()  # OneFlow takes the negative of the bytes first


@rule("torch.Tensor.__rsub__:bytes")
def rsub_of_bytes(self, other):
    return other - self.float() if isinstance(other, float) and self.dtype == oneflow.uint8 else other - self


@rule("torch.Tensor.__eq__:mixed", "torch.eq:mixed", "torch.Tensor.eq:mixed")
def promoted_eq(input, other):
    input, other = alike(input, other)
    return input == other


@rule("torch.Tensor.__ne__:mixed", "torch.ne:mixed", "torch.Tensor.ne:mixed")
def promoted_ne(input, other):
    input, other = alike(input, other)
    return input != other


@rule("torch.Tensor.__lt__:mixed", "torch.lt:mixed", "torch.Tensor.lt:mixed")
def promoted_lt(input, other):
    input, other = alike(input, other)
    return input < other


@rule("torch.Tensor.__le__:mixed", "torch.le:mixed", "torch.Tensor.le:mixed")
def promoted_le(input, other):
    input, other = alike(input, other)
    return input <= other


@rule("torch.Tensor.__gt__:mixed", "torch.gt:mixed", "torch.Tensor.gt:mixed")
def promoted_gt(input, other):
    input, other = alike(input, other)
    return input > other


@rule("torch.Tensor.__ge__:mixed", "torch.ge:mixed", "torch.Tensor.ge:mixed")
def promoted_ge(input, other):
    input, other = alike(input, other)
    return input >= other


@rule(torch.Tensor.__eq__)
def eq(self, other: None):
    return self is None


@rule(torch.Tensor.__eq__)
def eq(self, other):
    return self == other


@rule(torch.Tensor.__ne__)
def ne(self, other: None):
    return self is not None


@rule(torch.Tensor.__ne__)
def ne(self, other):
    return self != other


@rule("torch.Tensor.__truediv__:mixed")
def promoted_truediv(left: BoolTensor, right: int | float):
    return left.float() / right


@rule("torch.Tensor.__truediv__:mixed")
def promoted_truediv(left, right):
    left, right = alike(left, right)
    return counted(left) / counted(right)


@rule("torch.Tensor.__pow__:mixed")
def promoted_pow(left, right):
    if is_of_bools(left, right):
        left, right = filled(left, right)
        return oneflow.logical_or(left, oneflow.logical_not(right))
    left, right = (counted(value) for value in alike(left, right))
    kinds = [category(value.dtype) for value in (left, right) if isinstance(value, oneflow.Tensor)]
    if 2 in kinds or isinstance(left, float) or isinstance(right, float):
        return left**right
    # of integers OneFlow gives floating-point numbers
    if isinstance(right, int) and right < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return by_bits(whole_power, left, right)


def whole_power(base, exponent):
    """Of negative exponents what is left of the fraction; numbers that are too large wrap."""
    base, exponent = numpy.asarray(base), numpy.asarray(exponent)
    power = numpy.power(base, numpy.where(exponent < 0, exponent % 2, exponent))
    return numpy.where((exponent < 0) & (numpy.abs(base) != 1), 0, power).astype(power.dtype)


# Integers have no gradient that would be lost in numpy, and OneFlow has no function of bits.
def by_bits(function, left, right):
    left, right = alike(left, right)
    device = (left if isinstance(left, oneflow.Tensor) else right).device
    parts = [part.numpy() if isinstance(part, oneflow.Tensor) else part for part in (left, right)]
    return oneflow.tensor(function(*parts), dtype=result_type(left, right), device=device)


def is_of_bools(left, right):
    return all(v.dtype == oneflow.bool if isinstance(v, oneflow.Tensor) else isinstance(v, bool) for v in (left, right))


@rule("torch.Tensor.__and__:mixed", torch.bitwise_and, torch.Tensor.bitwise_and)
def bitwise_and(input, other):
    return input & other if is_of_bools(input, other) else by_bits(numpy.bitwise_and, input, other)


@rule("torch.Tensor.__or__:mixed", torch.bitwise_or, torch.Tensor.bitwise_or)
def bitwise_or(input, other):
    return input | other if is_of_bools(input, other) else by_bits(numpy.bitwise_or, input, other)


@rule("torch.Tensor.__xor__:mixed", torch.bitwise_xor, torch.Tensor.bitwise_xor)
def bitwise_xor(input, other):
    return input ^ other if is_of_bools(input, other) else by_bits(numpy.bitwise_xor, input, other)


@family("lshift rshift", "left right")
@rule(
    "torch.Tensor.__lshift__:mixed",
    torch.Tensor.__lshift__,
    torch.bitwise_left_shift,
    torch.Tensor.bitwise_left_shift,
)
def bitwise_left_shift(input, other):
    return by_bits(numpy.left_shift, input, other)


@rule(torch.Tensor.__invert__)
def bitwise_not(self):
    return ~self  # of integers OneFlow refuses it


@rule(torch.floor_divide, torch.Tensor.floor_divide, torch.Tensor.__floordiv__)
def floor_divide(input: FloatTensor, other: int):
    return input // other


@rule(torch.floor_divide, torch.Tensor.floor_divide, "torch.Tensor.__floordiv__:mixed", torch.Tensor.__floordiv__)
def floor_divide(input, other):
    # OneFlow's // rounds integers towards zero, torch down; between tensors it does not broadcast
    input, other = filled(*alike(input, other))
    whole = input - remainder(input, other)
    if category(input.dtype) < 2:
        return oneflow.round(whole.to(oneflow.float64) / other.to(oneflow.float64)).to(input.dtype)
    return oneflow.where(other == 0, input / other, oneflow.round(whole / other))


@rule(torch.Tensor.__rfloordiv__)
def rfloordiv(self, other):
    return floor_divide(other, self)


@rule(torch.remainder, torch.Tensor.remainder, "torch.Tensor.__mod__:mixed", torch.Tensor.__mod__)
def remainder(input, other):
    # OneFlow's % has the dividend's sign, torch's the divisor's
    input, other = filled(*alike(input, other))
    rest = oneflow.fmod(input, other)
    off = ((rest < 0) & (other > 0)) | ((rest > 0) & (other < 0))
    return rest + off.to(rest.dtype) * other


@rule(torch.Tensor.__rmod__)
def rmod(self, other: str):
    return other % self


@rule(torch.Tensor.__rmod__)
def rmod(self, other: int | float | oneflow.Tensor):
    return remainder(other, self)
