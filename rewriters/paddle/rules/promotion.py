"""Promotion of dtypes, which Paddle's operators do in part and no function of it tells; the program's default dtype."""

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
