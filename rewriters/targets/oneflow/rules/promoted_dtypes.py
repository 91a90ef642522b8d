"""torch: the dtype that operands of several kinds give."""

import functools

import numpy
import oneflow
import torch

from rewriters.rule import rule


def category(dtype):
    """0 for bool, 1 for integers, 2 for floats."""
    name = str(dtype).rpartition(".")[2]
    return 0 if name == "bool" else 2 if "float" in name else 1


def bits(dtype):
    return int("".join(letter for letter in str(dtype) if letter.isdigit()) or 8)


@rule(torch.promote_types)
def promote_types(type1, type2):
    if type1 == type2:
        return type1
    low, high = sorted((type1, type2), key=category)
    if category(low) < category(high):
        return high
    low, high = sorted((type1, type2), key=bits)
    if bits(low) < bits(high):
        return high
    # as wide as one another: both are floats of 16 bits, or uint8 with int8, whose int16 OneFlow lacks
    return oneflow.float32 if category(low) == 2 else oneflow.int32


@rule(torch.can_cast)
def can_cast(from_, to):
    # to a category that is not below; bool is a category of its own
    return category(to) >= category(from_)


def rank_of_operand(value):
    """Tensors with axes go before those without, these before numbers."""
    return 0 if not isinstance(value, oneflow.Tensor) else 1 if value.ndim == 0 else 2


def dtype_of_operand(value):
    if isinstance(value, oneflow.Tensor):
        return value.dtype
    if isinstance(value, bool):
        return oneflow.bool
    return oneflow.int64 if isinstance(value, int) else oneflow.get_default_dtype()


@rule(torch.result_type)
def result_type(tensor1, tensor2):
    first, second = sorted((tensor1, tensor2), key=rank_of_operand, reverse=True)
    strong, weak = dtype_of_operand(first), dtype_of_operand(second)
    if rank_of_operand(first) == rank_of_operand(second):
        return promote_types(strong, weak)
    return strong if category(weak) <= category(strong) else weak


def alike(left, right):
    """Both operands in the dtype to which torch promotes them; numbers stay numbers, Python's own."""
    left, right = (value.item() if isinstance(value, numpy.generic) else value for value in (left, right))
    known = all(isinstance(value, (oneflow.Tensor, int, float)) for value in (left, right))
    if not known or not any(isinstance(value, oneflow.Tensor) for value in (left, right)):
        return left, right
    dtype = result_type(left, right)
    return tuple(value.to(dtype) if isinstance(value, oneflow.Tensor) else value for value in (left, right))


def filled(left, right):
    """The operand that is a number as a tensor like the other."""
    if not isinstance(left, oneflow.Tensor):
        left = oneflow.tensor(left, dtype=right.dtype, device=right.device)
    if not isinstance(right, oneflow.Tensor):
        right = oneflow.tensor(right, dtype=left.dtype, device=left.device)
    return left, right


def all_alike(tensors):
    """The tensors in the dtype to which torch promotes them all."""
    tensors = list(tensors)
    dtype = functools.reduce(promote_types, [tensor.dtype for tensor in tensors])
    return [tensor.to(dtype) for tensor in tensors]


def floating(left, right):
    """Both as tensors of one floating-point dtype, and of one shape."""
    pair = filled(*alike(left, right))
    if category(pair[0].dtype) < 2:
        pair = (value.to(oneflow.get_default_dtype()) for value in pair)
    return oneflow.broadcast_tensors(*pair)
