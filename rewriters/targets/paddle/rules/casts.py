"""Casts to a dtype, and constructors named after one."""

import paddle
import torch

from rewriters.rule import family, rule


@family("FloatTensor DoubleTensor HalfTensor", "float double half", "32 64 16")
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="float32")


@family("FloatTensor DoubleTensor HalfTensor", "float double half", "32 64 16")
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(data, *, device=None):
    if isinstance(data, int):
        return paddle.empty([data], dtype="float32")
    return paddle.to_tensor(data, dtype="float32")


@rule(torch.BFloat16Tensor, torch.cuda.BFloat16Tensor)
def bfloat16_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="bfloat16")


@rule(torch.BFloat16Tensor, torch.cuda.BFloat16Tensor)
def bfloat16_tensor(data, *, device=None):
    if isinstance(data, int):
        return paddle.empty([data], dtype="bfloat16")
    return paddle.to_tensor(data, dtype="bfloat16")


@family("LongTensor IntTensor ShortTensor CharTensor", "long int short char", "64 32 16 8")
@rule(torch.LongTensor, torch.cuda.LongTensor)
def long_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="int64")


@family("LongTensor IntTensor ShortTensor CharTensor", "long int short char", "64 32 16 8")
@rule(torch.LongTensor, torch.cuda.LongTensor)
def long_tensor(data, *, device=None):
    if isinstance(data, int):
        return paddle.empty([data], dtype="int64")
    return paddle.to_tensor(data, dtype="int64")


@rule(torch.ByteTensor, torch.cuda.ByteTensor)
def byte_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="uint8")


@rule(torch.ByteTensor, torch.cuda.ByteTensor)
def byte_tensor(data, *, device=None):
    if isinstance(data, int):
        return paddle.empty([data], dtype="uint8")
    return paddle.to_tensor(data, dtype="uint8")


@rule(torch.BoolTensor, torch.cuda.BoolTensor)
def bool_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="bool")


@rule(torch.BoolTensor, torch.cuda.BoolTensor)
def bool_tensor(data, *, device=None):
    if isinstance(data, int):
        return paddle.empty([data], dtype="bool")
    return paddle.to_tensor(data, dtype="bool")


@family("float double half long int short char byte bool cfloat cdouble")
@rule(torch.Tensor.float)
def to_float(self, memory_format=None):
    return self.float()


@rule(torch.Tensor.bfloat16)
def to_bfloat16(self, memory_format=None):
    return self.bfloat16()
