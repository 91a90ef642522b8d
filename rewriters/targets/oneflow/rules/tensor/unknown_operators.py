"""Operators on what may be a tensor: of a tensor torch's, of anything else its own."""

import oneflow

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.promotion import (
    bitwise_and_,
    bitwise_left_shift_,
    bitwise_or_,
    bitwise_right_shift_,
    bitwise_xor_,
)
from rewriters.targets.oneflow.rules.promotion_of_operators import (
    bitwise_and,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    floor_divide,
    remainder,
)
from rewriters.targets.oneflow.rules.tensor.in_place_arithmetic import floor_divide_, pow_, remainder_


def is_tensor_or_number(value):
    return isinstance(value, (oneflow.Tensor, bool, int, float))


def are_of_tensors(left, right):
    """Whether one is a tensor, and the other a tensor or a number."""
    one = isinstance(left, oneflow.Tensor) or isinstance(right, oneflow.Tensor)
    return one and is_tensor_or_number(left) and is_tensor_or_number(right)


@rule("torch.Tensor.__neg__:unknown")
def unknown_neg(value):
    # of integers OneFlow's makes floating-point numbers
    return value * -1


@rule("torch.Tensor.__invert__:unknown")
def unknown_invert(value):
    whole = isinstance(value, oneflow.Tensor) and value.dtype != oneflow.bool
    return -1 - value if whole else ~value


@rule("torch.Tensor.__truediv__:unknown")
def unknown_truediv(left, right):
    # of truth values OneFlow's makes integers
    truths = isinstance(left, oneflow.Tensor) and left.dtype == oneflow.bool
    return left.float() / right if truths else left / right


@rule("torch.Tensor.__floordiv__:unknown")
def unknown_floordiv(left, right):
    return floor_divide(left, right) if are_of_tensors(left, right) else left // right


@rule("torch.Tensor.__mod__:unknown")
def unknown_mod(left, right):
    return remainder(left, right) if are_of_tensors(left, right) else left % right


@rule("torch.Tensor.__and__:unknown")
def unknown_and(left, right):
    return bitwise_and(left, right) if are_of_tensors(left, right) else left & right


@rule("torch.Tensor.__or__:unknown")
def unknown_or(left, right):
    return bitwise_or(left, right) if are_of_tensors(left, right) else left | right


@rule("torch.Tensor.__xor__:unknown")
def unknown_xor(left, right):
    return bitwise_xor(left, right) if are_of_tensors(left, right) else left ^ right


@rule("torch.Tensor.__lshift__:unknown")
def unknown_lshift(left, right):
    return bitwise_left_shift(left, right) if are_of_tensors(left, right) else left << right


@rule("torch.Tensor.__rshift__:unknown")
def unknown_rshift(left, right):
    return bitwise_right_shift(left, right) if are_of_tensors(left, right) else left >> right


@rule("torch.Tensor.__ifloordiv__:unknown")
def unknown_ifloordiv(value, other):
    if isinstance(value, oneflow.Tensor):
        return floor_divide_(value, other)
    value //= other
    return value


@rule("torch.Tensor.__imod__:unknown")
def unknown_imod(value, other):
    if isinstance(value, oneflow.Tensor):
        return remainder_(value, other)
    value %= other
    return value


@rule("torch.Tensor.__ipow__:unknown")
def unknown_ipow(value, other):
    if isinstance(value, oneflow.Tensor):
        return pow_(value, other)
    value **= other
    return value


@rule("torch.Tensor.__iand__:unknown")
def unknown_iand(value, other):
    if isinstance(value, oneflow.Tensor):
        return bitwise_and_(value, other)
    value &= other
    return value


@rule("torch.Tensor.__ior__:unknown")
def unknown_ior(value, other):
    if isinstance(value, oneflow.Tensor):
        return bitwise_or_(value, other)
    value |= other
    return value


@rule("torch.Tensor.__ixor__:unknown")
def unknown_ixor(value, other):
    if isinstance(value, oneflow.Tensor):
        return bitwise_xor_(value, other)
    value ^= other
    return value


@rule("torch.Tensor.__ilshift__:unknown")
def unknown_ilshift(value, other):
    if isinstance(value, oneflow.Tensor):
        return bitwise_left_shift_(value, other)
    value <<= other
    return value


@rule("torch.Tensor.__irshift__:unknown")
def unknown_irshift(value, other):
    if isinstance(value, oneflow.Tensor):
        return bitwise_right_shift_(value, other)
    value >>= other
    return value
