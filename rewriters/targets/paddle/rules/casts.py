"""Casts to a dtype, and constructors named after one."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="float32")


@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="float32")
    return paddle.to_tensor(data, dtype="float32")


@rule(torch.DoubleTensor, torch.cuda.DoubleTensor)
def double_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="float64")


@rule(torch.DoubleTensor, torch.cuda.DoubleTensor)
def double_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="float64")
    return paddle.to_tensor(data, dtype="float64")


@rule(torch.HalfTensor, torch.cuda.HalfTensor)
def half_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="float16")


@rule(torch.HalfTensor, torch.cuda.HalfTensor)
def half_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="float16")
    return paddle.to_tensor(data, dtype="float16")


@rule(torch.BFloat16Tensor, torch.cuda.BFloat16Tensor)
def bfloat16_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="bfloat16")


@rule(torch.BFloat16Tensor, torch.cuda.BFloat16Tensor)
def bfloat16_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="bfloat16")
    return paddle.to_tensor(data, dtype="bfloat16")


@rule(torch.LongTensor, torch.cuda.LongTensor)
def long_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="int64")


@rule(torch.LongTensor, torch.cuda.LongTensor)
def long_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="int64")
    return paddle.to_tensor(data, dtype="int64")


@rule(torch.IntTensor, torch.cuda.IntTensor)
def int_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="int32")


@rule(torch.IntTensor, torch.cuda.IntTensor)
def int_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="int32")
    return paddle.to_tensor(data, dtype="int32")


@rule(torch.ShortTensor, torch.cuda.ShortTensor)
def short_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="int16")


@rule(torch.ShortTensor, torch.cuda.ShortTensor)
def short_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="int16")
    return paddle.to_tensor(data, dtype="int16")


@rule(torch.CharTensor, torch.cuda.CharTensor)
def char_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="int8")


@rule(torch.CharTensor, torch.cuda.CharTensor)
def char_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="int8")
    return paddle.to_tensor(data, dtype="int8")


@rule(torch.ByteTensor, torch.cuda.ByteTensor)
def byte_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="uint8")


@rule(torch.ByteTensor, torch.cuda.ByteTensor)
def byte_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="uint8")
    return paddle.to_tensor(data, dtype="uint8")


@rule(torch.BoolTensor, torch.cuda.BoolTensor)
def bool_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="bool")


@rule(torch.BoolTensor, torch.cuda.BoolTensor)
def bool_tensor(data, *, device=None):  # noqa: F811
    if isinstance(data, int):
        return paddle.empty([data], dtype="bool")
    return paddle.to_tensor(data, dtype="bool")


@rule(torch.Tensor.float)
def to_float(self, memory_format=None):
    return self.float()


@rule(torch.Tensor.double)
def to_double(self, memory_format=None):
    return self.double()


@rule(torch.Tensor.half)
def to_half(self, memory_format=None):
    return self.half()


@rule(torch.Tensor.bfloat16)
def to_bfloat16(self, memory_format=None):
    return self.bfloat16()


@rule(torch.Tensor.long)
def to_long(self, memory_format=None):
    return self.long()


@rule(torch.Tensor.int)
def to_int(self, memory_format=None):
    return self.int()


@rule(torch.Tensor.short)
def to_short(self, memory_format=None):
    return self.short()


@rule(torch.Tensor.char)
def to_char(self, memory_format=None):
    return self.char()


@rule(torch.Tensor.byte)
def to_byte(self, memory_format=None):
    return self.byte()


@rule(torch.Tensor.bool)
def to_bool(self, memory_format=None):
    return self.bool()


@rule(torch.Tensor.cfloat)
def to_cfloat(self, memory_format=None):
    return self.cfloat()


@rule(torch.Tensor.cdouble)
def to_cdouble(self, memory_format=None):
    return self.cdouble()
