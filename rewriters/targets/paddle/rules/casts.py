"""Casts to a dtype, and constructors named after one."""

import paddle
import torch

from rewriters.rule import family, rule


@family(
    "Float Double Half BFloat16 Long Int Short Char Byte Bool",
    "float double half bfloat16 long int short char byte bool",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool",
)
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(*size: int, device=None):
    return paddle.empty(size or [0], dtype="float32")


@family(
    "Float Double Half BFloat16 Long Int Short Char Byte Bool",
    "float double half bfloat16 long int short char byte bool",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool",
)
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(data: paddle.Size, *, device=None):
    return paddle.empty(data, dtype="float32")


@family(
    "Float Double Half BFloat16 Long Int Short Char Byte Bool",
    "float double half bfloat16 long int short char byte bool",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool",
)
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(data: range, *, device=None):
    return paddle.to_tensor(list(data), dtype="float32")


@family(
    "Float Double Half BFloat16 Long Int Short Char Byte Bool",
    "float double half bfloat16 long int short char byte bool",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool",
)
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(data, *, device=None):
    if isinstance(data, int):
        return paddle.empty([data], dtype="float32")
    if isinstance(data, paddle.Size):
        return paddle.empty(data, dtype="float32")
    return paddle.to_tensor(data, dtype="float32")


@family(
    "Float Double Half BFloat16 Long Int Short Char Byte Bool",
    "float double half bfloat16 long int short char byte bool",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool",
)
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(*size, device=None):
    # sizes of which some are tensors
    return paddle.empty(size, dtype="float32")


@family(
    "Float Double Half BFloat16 Long Int Short Char Byte Bool",
    "float double half bfloat16 long int short char byte bool",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool",
)
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(*, size, device=None):
    return paddle.empty(size, dtype="float32")


@family("float double half long int short char byte bool cfloat cdouble bfloat16")
@rule(torch.Tensor.float)
def to_float(self, memory_format=None):
    return self.float()


@rule("torch._C._nn._parse_to")
def _parse_to(*args, device=None, dtype=None, tensor=None, non_blocking=False, copy=False, memory_format=None):
    # what to() is given, taken apart for a program's own to(): device, dtype, non_blocking, memory_format
    flags = [value for value in args if isinstance(value, bool)]
    for value in (*args, tensor):
        if isinstance(value, paddle.Tensor):
            device, dtype = value.place, value.dtype
        elif isinstance(value, paddle.dtype):
            dtype = value
        elif value is not None and not isinstance(value, bool):
            device = paddle.device(value) if isinstance(value, (str, int)) else value
    return device, dtype, flags[0] if flags else non_blocking, memory_format
