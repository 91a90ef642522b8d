"""Dtypes, their limits, and what is asked of a tensor's kind."""

import paddle
import torch

from rewriters.rule import alias, differs, family, rule

alias(torch.int16, "paddle.int16")
alias(torch.complex64, "paddle.complex64")
alias(torch.complex128, "paddle.complex128")
alias(torch.float8_e4m3fn, "paddle.float8_e4m3fn")
alias(torch.float8_e5m2, "paddle.float8_e5m2")
alias(torch.pi, "paddle.pi")
alias(torch.e, "paddle.e")
alias(torch.inf, "paddle.inf")
alias(torch.nan, "paddle.nan")
alias(torch.newaxis, "paddle.newaxis")


@rule(torch.SymInt)
class SymInt:
    """Of torch's compiler: Paddle's sizes are numbers, none of them a symbol."""


@family("SymFloat SymBool")
@rule(torch.SymFloat)
class SymFloat:
    """As SymInt."""


@rule(torch.finfo)
def finfo(type="float32"):
    return paddle.finfo(type)


@rule(torch.iinfo)
def iinfo(type):
    return paddle.iinfo(type)


@rule(torch.get_default_dtype)
def get_default_dtype():
    return paddle.empty([0]).dtype


@rule(torch.set_default_dtype)
def set_default_dtype(d):
    if d == torch.float64:
        differs(
            "Paddle makes float32 of integers that are divided or go through sqrt() and the like, "
            "whatever the default dtype; cast them to float64 first"
        )
    return paddle.set_default_dtype(d)


@rule(torch.dtype.is_floating_point)
def dtype_is_floating_point(self):
    return self in (paddle.float16, paddle.bfloat16, paddle.float32, paddle.float64)


@rule(torch.dtype.is_complex)
def dtype_is_complex(self):
    return self in (paddle.complex64, paddle.complex128)


@rule(torch.dtype.itemsize)
def dtype_itemsize(self):
    return paddle.empty([0], dtype=self).element_size()


@family("floating_point complex")
@rule(torch.is_floating_point, torch.Tensor.is_floating_point)
def is_floating_point(input):
    return paddle.is_floating_point(input)


@rule(torch.is_signed, torch.Tensor.is_signed)
def is_signed(input):
    return input.dtype not in (paddle.uint8, paddle.bool)


@rule(torch.is_conj, torch.Tensor.is_conj, torch.is_neg, torch.Tensor.is_neg)
def is_conj(input):
    # Paddle conjugates and negates at once
    return False


@rule(torch.numel)
def numel(input):
    return input.size


@rule(torch.Tensor.type)
def type(self, dtype: paddle.dtype, non_blocking=False):
    return self.astype(dtype)


@rule(torch.Tensor.type)
def type(self, dtype: str, non_blocking=False):
    if dtype in ("torch.FloatTensor", "torch.cuda.FloatTensor"):
        return self.astype("float32")
    if dtype in ("torch.LongTensor", "torch.cuda.LongTensor"):
        return self.astype("int64")
    if dtype in ("torch.DoubleTensor", "torch.cuda.DoubleTensor"):
        return self.astype("float64")
    if dtype in ("torch.HalfTensor", "torch.cuda.HalfTensor"):
        return self.astype("float16")
    if dtype in ("torch.ByteTensor", "torch.cuda.ByteTensor"):
        return self.astype("uint8")
    if dtype in ("torch.BoolTensor", "torch.cuda.BoolTensor"):
        return self.astype("bool")
    if dtype in ("torch.IntTensor", "torch.cuda.IntTensor"):
        return self.astype("int32")
    raise NotImplementedError("name the dtype: x.astype('float32')")


@rule(torch.Tensor.type)
def type(self, dtype, non_blocking=False):
    # not known to be one of torch's names of types, which astype() refuses: a dtype
    return self.astype(dtype)


TYPES = {
    "float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16", "int64": "Long", "int32": "Int",
    "int16": "Short", "int8": "Char", "uint8": "Byte", "bool": "Bool", "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}  # fmt: skip


@rule(torch.Tensor.type)
def type(self):
    # torch's names, which programs compare with
    module = "torch.cuda" if self.place.is_gpu_place() else "torch"
    return f"{module}.{TYPES[str(self.dtype).rpartition('.')[2]]}Tensor"


@rule(torch.Tensor.type_as)
def type_as(self, other):
    return self.astype(other.dtype)


@rule(torch.set_default_tensor_type)
def set_default_tensor_type(t):
    name = t if isinstance(t, str) else t.__name__  # of a class, that of the helper which stands for it
    kinds = {"Half": "float16", "BFloat16": "bfloat16", "Float": "float32", "Double": "float64"}
    paddle.set_default_dtype(next(dtype for kind, dtype in kinds.items() if name.rpartition(".")[2].startswith(kind)))
    if "cuda" in name:
        paddle.set_device("gpu")
