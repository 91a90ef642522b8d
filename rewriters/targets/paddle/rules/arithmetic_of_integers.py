"""Integers and truth values where Paddle keeps a narrow dtype, or has no kernel: torch counts in int64.

These overloads answer before the general ones, whose files come later.
"""

import paddle
import torch

from rewriters.rule import BoolTensor, FloatTensor, IntTensor, rule


@rule(torch.sum, torch.Tensor.sum)
def sum(input: IntTensor, dim=None, keepdim=False, *, dtype=None):
    # of uint8 Paddle's own sum overflows
    return paddle.sum(input, axis=dim, dtype="int64" if dtype is None else dtype, keepdim=keepdim)


@rule(torch.prod, torch.Tensor.prod)
def prod(input: IntTensor | BoolTensor, dim=None, keepdim=False, *, dtype=None):
    return paddle.prod(input.astype("int64" if dtype is None else dtype), axis=dim, keepdim=keepdim)


@rule(torch.cumsum, torch.Tensor.cumsum)
def cumsum(input: IntTensor | BoolTensor, dim, *, dtype=None):
    return paddle.cumsum(input.astype("int64" if dtype is None else dtype), axis=dim)


@rule(torch.cumprod, torch.Tensor.cumprod)
def cumprod(input: IntTensor | BoolTensor, dim, *, dtype=None):
    return paddle.cumprod(input.astype("int64" if dtype is None else dtype), dim=dim)


@rule(torch.mean, torch.Tensor.mean)
def mean(input: IntTensor | BoolTensor, dim=None, keepdim=False, *, dtype):
    return paddle.mean(input.astype(dtype), axis=dim, keepdim=keepdim)


@rule(torch.bitwise_and, torch.Tensor.bitwise_and)
def bitwise_and(input: IntTensor | BoolTensor, other: int):
    return paddle.bitwise_and(input, paddle.full([], other, dtype=input.dtype))


@rule(torch.bitwise_and, torch.Tensor.bitwise_and)
def bitwise_and(input, other):  # noqa: F811
    return paddle.bitwise_and(input, other)


@rule(torch.bitwise_or, torch.Tensor.bitwise_or)
def bitwise_or(input: IntTensor | BoolTensor, other: int):
    return paddle.bitwise_or(input, paddle.full([], other, dtype=input.dtype))


@rule(torch.bitwise_or, torch.Tensor.bitwise_or)
def bitwise_or(input, other):  # noqa: F811
    return paddle.bitwise_or(input, other)


@rule(torch.bitwise_xor, torch.Tensor.bitwise_xor)
def bitwise_xor(input: IntTensor | BoolTensor, other: int):
    return paddle.bitwise_xor(input, paddle.full([], other, dtype=input.dtype))


@rule(torch.bitwise_xor, torch.Tensor.bitwise_xor)
def bitwise_xor(input, other):  # noqa: F811
    return paddle.bitwise_xor(input, other)


@rule(torch.div, torch.divide, torch.Tensor.div, torch.Tensor.divide)
def div(input: IntTensor, other: int, *, rounding_mode: str):
    return paddle.divide(input, paddle.full([], other, dtype=input.dtype), rounding_mode=rounding_mode)


@rule(torch.div, torch.divide, torch.Tensor.div, torch.Tensor.divide)
def div(input: FloatTensor, other: int | float, *, rounding_mode: str):  # noqa: F811
    return paddle.divide(input, paddle.full([], other, dtype=input.dtype), rounding_mode=rounding_mode)


@rule("torch.logical_and:mixed", "torch.Tensor.logical_and:mixed")
def promoted_logical_and(input, other):
    return paddle.logical_and(input.astype("bool"), other.astype("bool"))


@rule("torch.logical_or:mixed", "torch.Tensor.logical_or:mixed")
def promoted_logical_or(input, other):
    return paddle.logical_or(input.astype("bool"), other.astype("bool"))


@rule("torch.logical_xor:mixed", "torch.Tensor.logical_xor:mixed")
def promoted_logical_xor(input, other):
    return paddle.logical_xor(input.astype("bool"), other.astype("bool"))
