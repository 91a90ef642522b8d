"""torch.FloatTensor and the like: classes that make arrays, that arrays are asked for, and that others are cast to."""

import jax
import jax.numpy as jnp
import numpy

from rewriters.rule import alias, family, rule


class OfOneDtype(type):
    """isinstance() asks for the array's dtype and where it lies."""

    on_gpu = False

    def __instancecheck__(cls, value):
        on_gpu = jax.default_backend() == "gpu"
        return isinstance(value, jax.Array) and value.dtype == cls.dtype and on_gpu == cls.on_gpu


@family(
    "FloatTensor DoubleTensor HalfTensor BFloat16Tensor LongTensor IntTensor ShortTensor CharTensor ByteTensor "
    "BoolTensor",
    "Float32Tensor Float64Tensor Float16Tensor Bf16Tensor Int64Tensor Int32Tensor Int16Tensor Int8Tensor UInt8Tensor "
    "BooleanTensor",
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool_",
)
@rule("torch.FloatTensor:value", "torch.FloatTensor:test")
class Float32Tensor(metaclass=OfOneDtype):
    """Makes arrays of float32; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype(jnp.float32)

    def __new__(cls, *given, device=None):
        if all(isinstance(size, int) for size in given):
            return jnp.zeros(given or (0,), jnp.float32)
        return jnp.array(given[0], jnp.float32)


@family(
    "FloatTensor DoubleTensor HalfTensor BFloat16Tensor LongTensor IntTensor ShortTensor CharTensor ByteTensor "
    "BoolTensor",
    "Float32Tensor Float64Tensor Float16Tensor Bf16Tensor Int64Tensor Int32Tensor Int16Tensor Int8Tensor UInt8Tensor "
    "BooleanTensor",
)
@rule("torch.cuda.FloatTensor:value", "torch.cuda.FloatTensor:test")
class Float32TensorOnGpu(Float32Tensor):
    on_gpu = True


# In annotations, where nothing asks for the dtype.
alias("torch.FloatTensor:annotated", "jax.Array")
alias("torch.DoubleTensor:annotated", "jax.Array")
alias("torch.HalfTensor:annotated", "jax.Array")
alias("torch.BFloat16Tensor:annotated", "jax.Array")
alias("torch.LongTensor:annotated", "jax.Array")
alias("torch.IntTensor:annotated", "jax.Array")
alias("torch.ShortTensor:annotated", "jax.Array")
alias("torch.CharTensor:annotated", "jax.Array")
alias("torch.ByteTensor:annotated", "jax.Array")
alias("torch.BoolTensor:annotated", "jax.Array")
alias("torch.cuda.FloatTensor:annotated", "jax.Array")
alias("torch.cuda.DoubleTensor:annotated", "jax.Array")
alias("torch.cuda.HalfTensor:annotated", "jax.Array")
alias("torch.cuda.BFloat16Tensor:annotated", "jax.Array")
alias("torch.cuda.LongTensor:annotated", "jax.Array")
alias("torch.cuda.IntTensor:annotated", "jax.Array")
alias("torch.cuda.ShortTensor:annotated", "jax.Array")
alias("torch.cuda.CharTensor:annotated", "jax.Array")
alias("torch.cuda.ByteTensor:annotated", "jax.Array")
alias("torch.cuda.BoolTensor:annotated", "jax.Array")
