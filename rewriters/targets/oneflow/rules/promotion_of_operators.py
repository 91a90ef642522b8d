"""torch: operators between several dtypes."""

import numpy
import oneflow
import torch

from rewriters.rule import BoolTensor, IntTensor, rule
from rewriters.targets.oneflow.rules.bits import by_bits, is_of_bools
from rewriters.targets.oneflow.rules.promoted_dtypes import alike, category, filled


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


@rule(torch.Tensor.__invert__)
def bitwise_not(self):
    return ~self  # of integers OneFlow refuses it
