"""Operators on what may be a tensor: of a tensor torch's, of anything else its own."""

import oneflow

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.arithmetic import floor_divide, remainder
from rewriters.targets.oneflow.rules.bits import (  # noqa: F401
    bitwise_and,
    bitwise_and_,
    bitwise_left_shift,
    bitwise_left_shift_,
    bitwise_or,
    bitwise_or_,
    bitwise_right_shift,
    bitwise_right_shift_,
    bitwise_xor,
    bitwise_xor_,
)
from rewriters.targets.oneflow.rules.tensor.in_place_arithmetic import (  # noqa: F401
    floor_divide_,
    pow_,
    remainder_,
)


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


@family(
    "mod and or xor lshift rshift",
    "remainder bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift",
    "% & | ^ << >>",
)
@rule("torch.Tensor.__mod__:unknown")
def unknown_mod(left, right):
    return remainder(left, right) if are_of_tensors(left, right) else left % right


@rule("torch.Tensor.__ifloordiv__:unknown")
def unknown_ifloordiv(value, other):
    if isinstance(value, oneflow.Tensor):
        return floor_divide_(value, other)
    value //= other
    return value


@family(
    "imod ipow iand ior ixor ilshift irshift",
    "remainder_ pow_ bitwise_and_ bitwise_or_ bitwise_xor_ bitwise_left_shift_ bitwise_right_shift_",
    "% ** & | ^ << >>",
)
@rule("torch.Tensor.__imod__:unknown")
def unknown_imod(value, other):
    if isinstance(value, oneflow.Tensor):
        return remainder_(value, other)
    value %= other
    return value
