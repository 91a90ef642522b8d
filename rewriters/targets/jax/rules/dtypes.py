"""Dtypes, their limits, and what is asked of a tensor's kind."""

import jax
import jax.numpy as jnp
import numpy
import torch

from rewriters.rule import alias, family, rule

alias(torch.dtype, "numpy.dtype")
alias(torch.bool, "jax.numpy.bool_")
alias(torch.uint8, "jax.numpy.uint8")
alias(torch.uint16, "jax.numpy.uint16")
alias(torch.uint32, "jax.numpy.uint32")
alias(torch.uint64, "jax.numpy.uint64")
alias(torch.int8, "jax.numpy.int8")
alias(torch.int16, "jax.numpy.int16")
alias(torch.int32, "jax.numpy.int32")
alias(torch.int64, "jax.numpy.int64")
alias(torch.float16, "jax.numpy.float16")
alias(torch.bfloat16, "jax.numpy.bfloat16")
alias(torch.float32, "jax.numpy.float32")
alias(torch.float64, "jax.numpy.float64")
alias(torch.complex64, "jax.numpy.complex64")
alias(torch.complex128, "jax.numpy.complex128")
alias(torch.float8_e4m3fn, "jax.numpy.float8_e4m3fn")
alias(torch.float8_e5m2, "jax.numpy.float8_e5m2")
alias(torch.float8_e4m3fnuz, "jax.numpy.float8_e4m3fnuz")
alias(torch.float8_e5m2fnuz, "jax.numpy.float8_e5m2fnuz")
alias(torch.float8_e8m0fnu, "jax.numpy.float8_e8m0fnu")
alias(torch.int2, "jax.numpy.int2")
alias(torch.int4, "jax.numpy.int4")
alias(torch.uint2, "jax.numpy.uint2")
alias(torch.uint4, "jax.numpy.uint4")
alias(torch.pi, "jax.numpy.pi")
alias(torch.e, "jax.numpy.e")
alias(torch.inf, "jax.numpy.inf")
alias(torch.nan, "jax.numpy.nan")
alias(torch.newaxis, "None")
alias(torch.contiguous_format, "None")
alias(torch.preserve_format, "None")
alias(torch.channels_last, "None")
alias(torch.channels_last_3d, "None")
alias(torch.legacy_contiguous_format, "None")
alias(torch.strided, "None")


# torch's other names of dtypes
ALSO = {
    "half": "float16", "float": "float32", "double": "float64", "short": "int16", "int": "int32", "long": "int64",
    "bool": "bool_", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip


@rule("torch.dtype:named")
def dtype_named(name):
    """getattr(torch, name) where that is a dtype."""
    found = getattr(jnp, ALSO.get(name, name), None)
    if not isinstance(found, jnp.float32.__class__):
        raise AttributeError(f"module 'torch' has no dtype {name!r}")
    return jnp.dtype(found)


@rule("torch.dtype:kept")
def dtype_kept(dtype):
    # jnp.float32 equals what arrays have, and has another hash
    return jnp.dtype(dtype)


@rule(torch.finfo)
def finfo(type=jnp.float32):
    return jnp.finfo(type)


@rule(torch.iinfo)
def iinfo(type):
    return jnp.iinfo(type)


@rule(torch.get_default_dtype)
def get_default_dtype():
    return jnp.dtype(jnp.float32)


@rule(torch.set_default_dtype)
def set_default_dtype(d):
    if d != torch.float32:
        raise NotImplementedError("JAX has no default dtype to be set; name the dtype where arrays are made")


@family("is_floating_point is_complex", "floating complexfloating")
@rule(torch.is_floating_point, torch.Tensor.is_floating_point)
def is_floating_point(input):
    return jnp.issubdtype(input.dtype, jnp.floating)


@family("is_floating_point is_complex", "floating complexfloating")
@rule(torch.dtype.is_floating_point)
def dtype_is_floating_point(self):
    return jnp.issubdtype(self, jnp.floating)


@rule(torch.dtype.itemsize)
def dtype_itemsize(self):
    return jnp.dtype(self).itemsize


@rule(torch.is_signed, torch.Tensor.is_signed)
def is_signed(input):
    return not jnp.issubdtype(input.dtype, jnp.unsignedinteger) and input.dtype != jnp.bool_


@rule(torch.is_conj, torch.Tensor.is_conj, torch.is_neg, torch.Tensor.is_neg)
def is_conj(input):
    # JAX conjugates and negates at once
    return False


@rule(torch.is_tensor)
def is_tensor(obj):
    return isinstance(obj, jax.Array)


@rule(torch.is_nonzero, torch.Tensor.is_nonzero)
def is_nonzero(input):
    return bool(input)


@rule(torch.is_same_size, torch.Tensor.is_same_size)
def is_same_size(input, other):
    return input.shape == other.shape


@rule(torch.numel)
def numel(input):
    return input.size


@family(
    "float double half bfloat16 long int short char byte bool cfloat cdouble",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool_ complex64 complex128",
)
@rule(torch.Tensor.float)
def to_float(self, memory_format=None):
    return self.astype(jnp.float32)


@rule(torch.Tensor.type_as)
def type_as(self, other):
    return self.astype(other.dtype)


@family(
    "Float Double Half BFloat16 Long Int Short Char Byte Bool",
    "float double half bfloat16 long int short char byte bool",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool_",
)
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(*size: int, device=None):
    return jnp.zeros((*size,) or (0,), jnp.float32)


@family(
    "Float Double Half BFloat16 Long Int Short Char Byte Bool",
    "float double half bfloat16 long int short char byte bool",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool_",
)
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(data: list, *, device=None):
    return jnp.array(data, jnp.float32)


@family(
    "Float Double Half BFloat16 Long Int Short Char Byte Bool",
    "float double half bfloat16 long int short char byte bool",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool_",
)
@rule(torch.FloatTensor, torch.cuda.FloatTensor)
def float_tensor(data, *, device=None):
    if isinstance(data, int):
        return jnp.zeros((data,), jnp.float32)
    return jnp.array(data, jnp.float32)


TYPES = {
    "torch.FloatTensor": jnp.float32, "torch.DoubleTensor": jnp.float64, "torch.HalfTensor": jnp.float16,
    "torch.BFloat16Tensor": jnp.bfloat16, "torch.LongTensor": jnp.int64, "torch.IntTensor": jnp.int32,
    "torch.ShortTensor": jnp.int16, "torch.CharTensor": jnp.int8, "torch.ByteTensor": jnp.uint8,
    "torch.BoolTensor": jnp.bool_, "torch.ComplexFloatTensor": jnp.complex64,
    "torch.ComplexDoubleTensor": jnp.complex128,
}  # fmt: skip


@rule(torch.Tensor.type)
def type(self):
    # torch's names, which programs compare with
    return next(name for name, dtype in TYPES.items() if dtype == self.dtype)


@rule(torch.Tensor.type)
def type(self, dtype: numpy.dtype, non_blocking=False):
    return self.astype(dtype)


@rule(torch.Tensor.type)
def type(self, dtype, non_blocking=False):
    if isinstance(dtype, str):
        dtype = TYPES[dtype.replace("cuda.", "")]
    return self.astype(dtype)
