"""Tensors of data that hold other dtypes than Python's: numbers of numpy's, tensors."""

import paddle
import torch

from rewriters.rule import BoolTensor, FloatTensor, Foreign, IntTensor, rule
from rewriters.shared.rules.construction import leaves, name_of_dtype, plain, widest
from rewriters.targets.paddle.rules.promoted_dtypes import filled
from rewriters.targets.paddle.rules.promotion import promoted_where


@rule(torch.tensor)
def tensor_of_several(data: Foreign, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    # Paddle takes these for Python's numbers, torch counts with their dtypes
    if dtype is None:
        dtype = getattr(paddle, widest([name_of_dtype(leaf) for leaf in leaves(data)]))
    return paddle.to_tensor(plain(data), dtype=dtype, stop_gradient=not requires_grad)


@rule(torch.tensor)
def tensor_of_dtype(data, *, dtype: paddle.dtype | str, device=None, requires_grad=False, pin_memory=False):
    return paddle.to_tensor(data, dtype=dtype, stop_gradient=not requires_grad)


@rule(torch.tensor)
def tensor_of_range(data: range, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    return paddle.to_tensor(list(data), dtype=dtype, stop_gradient=not requires_grad)


@rule(torch.as_tensor)
def as_tensor_of_range(data: range, dtype=None, device=None):
    return paddle.to_tensor(list(data), dtype=dtype)


@rule(torch.as_tensor)
def as_tensor_of_several(data: Foreign, dtype=None, device=None):
    return tensor_of_several(data, dtype=dtype)


@rule(torch.as_tensor)
def as_tensor_of_dtype(data, *, dtype: paddle.dtype | str, device=None):
    return paddle.as_tensor(data, dtype=dtype)


@rule(torch.asarray)
def asarray_of_several(obj: Foreign, *, dtype=None, device=None, copy=None, requires_grad=False):
    return tensor_of_several(obj, dtype=dtype, requires_grad=requires_grad)


@rule(torch.asarray)
def asarray_of_dtype(obj, *, dtype: paddle.dtype | str, device=None, copy=None, requires_grad=False):
    return paddle.asarray(obj, dtype=dtype, copy=copy, requires_grad=requires_grad)


@rule(torch.Tensor)
def tensor_of_floats(*size: int):
    return paddle.Tensor(*size)


@rule(torch.Tensor)
def tensor_of_floats(data: paddle.Size):
    return paddle.empty(data)


@rule(torch.Tensor)
def tensor_of_floats(data: list | tuple):
    return paddle.Tensor(data)


@rule(torch.Tensor)
def tensor_of_floats(data: paddle.Tensor):
    return paddle.Tensor(data)


@rule(torch.Tensor)
def tensor_of_floats(data):
    # an array keeps its dtype in Paddle, and takes on the default one in torch
    if isinstance(data, (int, paddle.Tensor)):
        return paddle.Tensor(data)
    if isinstance(data, paddle.Size):
        return paddle.empty(data)
    return paddle.to_tensor(data, dtype=paddle.get_default_dtype())


@rule(torch.where)
def where(condition, input: IntTensor | FloatTensor, other: int):
    # a whole number is int64 there, which Paddle does not promote
    return paddle.where(condition, input, paddle.full([], other, dtype=input.dtype))


@rule(torch.where)
def where(condition, input: int, other: IntTensor | FloatTensor):
    return paddle.where(condition, paddle.full([], input, dtype=other.dtype), other)


@rule(torch.where)
def where(condition, input: BoolTensor, other: int):
    if isinstance(other, bool):
        return paddle.where(condition, input, paddle.full([], other, dtype="bool"))
    return paddle.where(condition, input.astype("int64"), paddle.full([], other, dtype="int64"))


@rule(torch.where)
def where(condition, input: int, other: BoolTensor):
    if isinstance(input, bool):
        return paddle.where(condition, paddle.full([], input, dtype="bool"), other)
    return paddle.where(condition, paddle.full([], input, dtype="int64"), other.astype("int64"))


@rule(torch.where)
def where(condition, input: FloatTensor, other: float):
    # a number is float32 there, which half's and bfloat16's turn into
    return paddle.where(condition, input, paddle.full([], other, dtype=input.dtype))


@rule(torch.where)
def where(condition, input: float, other: FloatTensor):
    return paddle.where(condition, paddle.full([], input, dtype=other.dtype), other)


@rule(torch.where)
def where(condition, input: paddle.Tensor, other: int | float):
    return promoted_where(condition, input, other)


@rule(torch.where)
def where(condition, input: int | float, other: paddle.Tensor):
    return promoted_where(condition, input, other)


@rule(torch.where)
def where(condition, input: int | float, other: int | float):
    return paddle.where(condition, *filled(input, other))


@rule(torch.Tensor.where)
def where(self: FloatTensor, condition, other: float):
    return paddle.where(condition, self, paddle.full([], other, dtype=self.dtype))


@rule(torch.Tensor.where)
def where(self, condition, other: int | float):
    return promoted_where(condition, self, other)


@rule(torch.Tensor.where)
def where(self: IntTensor | FloatTensor, condition, other: int):
    return paddle.where(condition, self, paddle.full([], other, dtype=self.dtype))


@rule(torch.Tensor.where)
def where(self: BoolTensor, condition, other: int):
    if isinstance(other, bool):
        return paddle.where(condition, self, paddle.full([], other, dtype="bool"))
    return paddle.where(condition, self.astype("int64"), paddle.full([], other, dtype="int64"))
