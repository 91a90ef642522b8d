"""torch: the dtype that operands of several kinds give."""

import functools

import numpy
import paddle
import torch

from rewriters.rule import rule


def category(dtype):
    """0 for bool, 1 for integers, 2 for floats, 3 for complex numbers."""
    name = str(dtype).rpartition(".")[2]
    return 0 if name == "bool" else 3 if name.startswith("complex") else 2 if "float" in name else 1


def bits(dtype):
    name = str(dtype).rpartition(".")[2]
    return int("".join(letter for letter in name.split("_")[0] if letter.isdigit()) or 8)


@rule(torch.promote_types)
def promote_types(type1, type2):
    if type1 == type2:
        return type1
    low, high = sorted((type1, type2), key=category)
    if category(low) < category(high):
        if category(high) == 3 and category(low) == 2 and bits(low) * 2 > bits(high):
            return paddle.complex128
        return high
    low, high = sorted((type1, type2), key=bits)
    if bits(low) < bits(high):
        return high
    # as wide as one another: both are floats of 16 bits, or uint8 with int8
    return paddle.float32 if category(low) == 2 else paddle.int16


@rule(torch.can_cast)
def can_cast(from_, to):
    # to a category that is not below; bool is a category of its own
    return category(to) >= category(from_)


def rank_of_operand(value):
    """Tensors with axes go before those without, these before numbers."""
    return 0 if not isinstance(value, paddle.Tensor) else 1 if value.ndim == 0 else 2


def dtype_of_operand(value):
    if isinstance(value, paddle.Tensor):
        return value.dtype
    if isinstance(value, bool):
        return paddle.bool
    if isinstance(value, int):
        return paddle.int64
    default = paddle.zeros([0]).dtype
    if isinstance(value, complex):
        return paddle.complex128 if default == paddle.float64 else paddle.complex64
    return default


@rule(torch.result_type)
def result_type(tensor1, tensor2):
    first, second = sorted((tensor1, tensor2), key=rank_of_operand, reverse=True)
    strong, weak = dtype_of_operand(first), dtype_of_operand(second)
    if rank_of_operand(first) == rank_of_operand(second):
        return promote_types(strong, weak)
    if category(weak) <= category(strong):
        return strong
    if category(weak) == 3 and category(strong) == 2:
        return paddle.complex128 if strong == paddle.float64 else paddle.complex64
    return weak


def alike(left, right):
    """Both operands in the dtype to which torch promotes them; numbers stay numbers, Python's own."""
    left, right = (value.item() if isinstance(value, numpy.generic) else value for value in (left, right))
    if not all(isinstance(value, (paddle.Tensor, int, float, complex)) for value in (left, right)):
        return left, right
    dtype = result_type(left, right)
    return tuple(value.astype(dtype) if isinstance(value, paddle.Tensor) else value for value in (left, right))


def filled(left, right):
    """The operand that is a number as a tensor like the other: Paddle's operators take some numbers only."""
    if not isinstance(left, paddle.Tensor) and not isinstance(right, paddle.Tensor):
        left = paddle.full([], left, dtype=result_type(left, right))
    if not isinstance(left, paddle.Tensor):
        left = paddle.full([], left, dtype=right.dtype)
    if not isinstance(right, paddle.Tensor):
        right = paddle.full([], right, dtype=left.dtype)
    return left, right


def all_alike(tensors):
    """The tensors in the dtype to which torch promotes them all."""
    tensors = list(tensors)
    dtype = functools.reduce(promote_types, [tensor.dtype for tensor in tensors])
    return [tensor.astype(dtype) for tensor in tensors]
