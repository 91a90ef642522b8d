"""Dtypes, casts and what is asked about them."""

import oneflow
import torch

from rewriters.rule import alias, becomes, differs, family, note, rule

becomes(torch.Tensor.type_as, oneflow.Tensor.type_as)
becomes(torch.is_floating_point, torch.Tensor.is_floating_point, oneflow.Tensor.is_floating_point)

note(
    torch.int32,
    torch.int,
    torch.Tensor.int,
    torch.IntTensor,
    "OneFlow adds two tensors of int32 as float32: above 2 ** 24 the sum is rounded; add them as int64",
)

alias(torch.float, "oneflow.float")
alias(torch.double, "oneflow.double")
alias(torch.half, "oneflow.half")
alias(torch.long, "oneflow.long")
alias(torch.int, "oneflow.int")
alias(torch.finfo, "oneflow.finfo")
alias(torch.iinfo, "oneflow.iinfo")
alias(torch.pi, "math.pi")
alias(torch.e, "math.e")
alias(torch.inf, "math.inf")
alias(torch.nan, "math.nan")
alias(torch.Generator, "oneflow.Generator")
alias(torch.FloatTensor, "oneflow.FloatTensor")
alias(torch.DoubleTensor, "oneflow.DoubleTensor")
alias(torch.HalfTensor, "oneflow.HalfTensor")
alias(torch.IntTensor, "oneflow.IntTensor")
alias(torch.LongTensor, "oneflow.LongTensor")
alias(torch.CharTensor, "oneflow.CharTensor")
alias(torch.ByteTensor, "oneflow.ByteTensor")
alias(torch.BoolTensor, "oneflow.BoolTensor")


@family("float double half long int bool byte bfloat16")
@rule(torch.Tensor.float)
def float_method(self, memory_format=None):
    return self.float()


@rule(torch.Tensor.char)
def char_method(self, memory_format=None):
    return self.to(oneflow.int8)


@rule(torch.Tensor.type)
def type_method(self, dtype, non_blocking=False):
    return self.type(dtype)


@rule(torch.Tensor.type)
def type_method(self):
    return self.type().replace("oneflow.", "torch.")


@rule(torch.is_complex, torch.Tensor.is_complex, torch.is_conj, torch.Tensor.is_conj, torch.is_neg, torch.Tensor.is_neg)
def is_complex(input):
    return False


@rule(torch.dtype.is_floating_point)
def dtype_is_floating_point(self):
    return self.is_floating_point


@rule(torch.Tensor.is_signed, torch.is_signed)
def is_signed(input):
    return input.dtype not in (oneflow.bool, oneflow.uint8)


@rule(torch.get_default_dtype)
def get_default_dtype():
    return oneflow.get_default_dtype()


@rule(torch.set_default_dtype)
def set_default_dtype(d):
    if d == torch.float64:
        differs(
            "OneFlow makes float32 in arange(), of integers that are divided and in parts of layers, "
            "whatever the default dtype; give dtype=torch.float64 there"
        )
    return oneflow.set_default_dtype(d)


@rule(torch.set_default_tensor_type)
def set_default_tensor_type(t):
    oneflow.set_default_tensor_type(t)


@rule(torch.dtype.itemsize)
def dtype_itemsize(self):
    return oneflow.zeros(1, dtype=self).element_size()


TYPES = {
    "FloatTensor": "float32", "DoubleTensor": "float64", "HalfTensor": "float16", "LongTensor": "int64",
    "IntTensor": "int32", "CharTensor": "int8", "ByteTensor": "uint8", "BoolTensor": "bool",
}  # fmt: skip


@rule(torch.Tensor.type)
def cast_by_name(self, dtype: str, non_blocking=False):
    return self.to(getattr(oneflow, TYPES[dtype.rpartition(".")[2]]))
