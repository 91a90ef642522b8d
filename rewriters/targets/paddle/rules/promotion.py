"""Promotion of dtypes, which Paddle's operators do in part and no function of it tells; the program's default dtype."""

import functools

import numpy
import paddle
import torch

from rewriters.rule import alias, rule


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


def counted(value):
    """Truth values as 0 and 1."""
    if isinstance(value, paddle.Tensor):
        return value.astype("int64") if value.dtype == paddle.bool else value
    return int(value) if isinstance(value, bool) else value


def filled(left, right):
    """The operand that is a number as a tensor like the other: Paddle's operators take some numbers only."""
    if not isinstance(left, paddle.Tensor):
        left = paddle.full([], left, dtype=right.dtype)
    if not isinstance(right, paddle.Tensor):
        right = paddle.full([], right, dtype=left.dtype)
    return left, right


@rule("torch.Tensor.__add__:mixed")
def promoted_add(left, right):
    left, right = alike(left, right)
    return left + right


@rule("torch.Tensor.__sub__:mixed")
def promoted_sub(left, right):
    left, right = alike(left, right)
    return left - right


@rule("torch.Tensor.__mul__:mixed")
def promoted_mul(left, right):
    left, right = alike(left, right)
    return left * right


@rule("torch.Tensor.__eq__:mixed")
def promoted_eq(left, right):
    left, right = alike(left, right)
    return left == right


@rule("torch.Tensor.__ne__:mixed")
def promoted_ne(left, right):
    left, right = alike(left, right)
    return left != right


@rule("torch.Tensor.__lt__:mixed")
def promoted_lt(left, right):
    left, right = alike(left, right)
    return left < right


@rule("torch.Tensor.__le__:mixed")
def promoted_le(left, right):
    left, right = alike(left, right)
    return left <= right


@rule("torch.Tensor.__gt__:mixed")
def promoted_gt(left, right):
    left, right = alike(left, right)
    return left > right


@rule("torch.Tensor.__ge__:mixed")
def promoted_ge(left, right):
    left, right = alike(left, right)
    return left >= right


@rule("torch.Tensor.__truediv__:mixed")
def promoted_truediv(left, right):
    left, right = alike(left, right)
    return counted(left) / counted(right)


@rule("torch.Tensor.__floordiv__:mixed")
def promoted_floordiv(left, right):
    # by a number, Paddle gives a tensor without an axis one
    left, right = filled(*alike(left, right))
    return left // right


@rule("torch.Tensor.__mod__:mixed")
def promoted_mod(left, right):
    left, right = filled(*alike(left, right))
    return left % right


@rule("torch.Tensor.__pow__:mixed")
def promoted_pow(left, right):
    left, right = (counted(value) for value in alike(left, right))
    if isinstance(right, int) and right < 0 and paddle.is_integer(left):
        # Paddle would not come to an end
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return left**right


@rule("torch.Tensor.__and__:mixed")
def promoted_and(left, right):
    left, right = filled(*alike(left, right))
    return left & right


@rule("torch.Tensor.__or__:mixed")
def promoted_or(left, right):
    left, right = filled(*alike(left, right))
    return left | right


@rule("torch.Tensor.__xor__:mixed")
def promoted_xor(left, right):
    left, right = filled(*alike(left, right))
    return left ^ right


@rule("torch.Tensor.__lshift__:mixed")
def promoted_lshift(left, right):
    left, right = filled(*alike(left, right))
    return left << right


@rule("torch.Tensor.__rshift__:mixed")
def promoted_rshift(left, right):
    left, right = filled(*alike(left, right))
    return left >> right


@rule("torch.maximum:mixed", "torch.Tensor.maximum:mixed")
def promoted_maximum(input, other):
    return paddle.maximum(*alike(input, other))


@rule("torch.minimum:mixed", "torch.Tensor.minimum:mixed")
def promoted_minimum(input, other):
    return paddle.minimum(*alike(input, other))


@rule("torch.fmax:mixed", "torch.Tensor.fmax:mixed")
def promoted_fmax(input, other):
    return paddle.fmax(*alike(input, other))


@rule("torch.fmin:mixed", "torch.Tensor.fmin:mixed")
def promoted_fmin(input, other):
    return paddle.fmin(*alike(input, other))


@rule("torch.atan2:mixed", "torch.Tensor.atan2:mixed", "torch.arctan2:mixed")
def promoted_atan2(input, other):
    return paddle.atan2(*alike(input, other))


@rule("torch.hypot:mixed", "torch.Tensor.hypot:mixed")
def promoted_hypot(input, other):
    return paddle.hypot(*alike(input, other))


@rule("torch.copysign:mixed", "torch.Tensor.copysign:mixed")
def promoted_copysign(input, other):
    return paddle.copysign(*alike(input, other))


@rule("torch.heaviside:mixed", "torch.Tensor.heaviside:mixed")
def promoted_heaviside(input, other):
    return paddle.heaviside(*alike(input, other))


def all_alike(tensors):
    """The tensors in the dtype to which torch promotes them all."""
    tensors = list(tensors)
    dtype = functools.reduce(promote_types, [tensor.dtype for tensor in tensors])
    return [tensor.astype(dtype) for tensor in tensors]


@rule("torch.cat:mixed", "torch.concat:mixed", "torch.concatenate:mixed")
def promoted_cat(tensors, dim=0):
    return paddle.concat(all_alike(tensors), axis=dim)


@rule("torch.stack:mixed")
def promoted_stack(tensors, dim=0):
    return paddle.stack(all_alike(tensors), axis=dim)


@rule("torch.hstack:mixed")
def promoted_hstack(tensors):
    return paddle.hstack(all_alike(tensors))


@rule("torch.vstack:mixed")
def promoted_vstack(tensors):
    return paddle.vstack(all_alike(tensors))


@rule("torch.dstack:mixed")
def promoted_dstack(tensors):
    return paddle.dstack(all_alike(tensors))


@rule("torch.column_stack:mixed")
def promoted_column_stack(tensors):
    return paddle.column_stack(all_alike(tensors))


@rule("torch.where:mixed")
def promoted_where(condition, input, other):
    return paddle.where(condition, *filled(*alike(input, other)))


@rule("torch.Tensor.where:mixed")
def promoted_where_method(self, condition, other):
    return paddle.where(condition, *filled(*alike(self, other)))


@rule("torch.outer:mixed", "torch.Tensor.outer:mixed", "torch.ger:mixed")
def promoted_outer(input, vec2):
    return paddle.outer(*alike(input, vec2))


@rule("torch.einsum:mixed")
def promoted_einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return paddle.einsum(equation, *all_alike(operands))


@rule("torch.kron:mixed", "torch.Tensor.kron:mixed")
def promoted_kron(input, other):
    return paddle.kron(*alike(input, other))


@rule("torch.addcmul:mixed", "torch.Tensor.addcmul:mixed")
def promoted_addcmul(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_mul(tensor1, tensor2), value))


@rule("torch.addcdiv:mixed", "torch.Tensor.addcdiv:mixed")
def promoted_addcdiv(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_truediv(tensor1, tensor2), value))


@rule("torch.isclose:mixed", "torch.Tensor.isclose:mixed")
def promoted_isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    pair = paddle.broadcast_tensors(list(alike(input, other)))
    return paddle.isclose(*pair, rtol=rtol, atol=atol, equal_nan=equal_nan)


@rule(torch.set_default_tensor_type)
def set_default_tensor_type(t):
    name = t if isinstance(t, str) else t.__name__  # of a class, that of the helper which stands for it
    kinds = {"Half": "float16", "BFloat16": "bfloat16", "Float": "float32", "Double": "float64"}
    paddle.set_default_dtype(next(dtype for kind, dtype in kinds.items() if name.rpartition(".")[2].startswith(kind)))
    if "cuda" in name:
        paddle.set_device("gpu")


alias(torch.has_lapack, "True")
alias(torch.has_spectral, "True")


@rule(torch.get_device_module)
def get_device_module(device=None):
    return paddle.get_device_module(device)
