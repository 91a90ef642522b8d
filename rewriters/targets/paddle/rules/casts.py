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
def float_tensor(data, *, device=None):
    if isinstance(data, int):
        return paddle.empty([data], dtype="float32")
    return paddle.to_tensor(data, dtype="float32")


@family("float double half long int short char byte bool cfloat cdouble bfloat16")
@rule(torch.Tensor.float)
def to_float(self, memory_format=None):
    return self.float()
