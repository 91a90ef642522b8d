"""torch.FloatTensor and the like as values: ``Tensor = torch.FloatTensor`` makes tensors, and others are cast to it."""

import numpy
import paddle

from rewriters.rule import alias, family, rule


def made(dtype, given):
    """A tensor of sizes, or of data."""
    if len(given) == 1 and isinstance(given[0], paddle.Size):
        return paddle.empty(given[0], dtype=dtype)
    if all(isinstance(size, int) for size in given):
        return paddle.empty(list(given) or [0], dtype=dtype)
    return paddle.to_tensor(given[0], dtype=dtype)


class OfOneDtype(type):
    """isinstance() asks for the tensor's dtype and where it lies."""

    on_gpu = False

    def __instancecheck__(cls, value):
        alike = isinstance(value, paddle.Tensor) and str(value.dtype) == f"paddle.{cls.dtype}"
        return alike and value.place.is_gpu_place() == cls.on_gpu


@family(
    "FloatTensor DoubleTensor HalfTensor LongTensor IntTensor ShortTensor CharTensor ByteTensor BoolTensor",
    "Float32Tensor Float64Tensor Float16Tensor Int64Tensor Int32Tensor Int16Tensor Int8Tensor UInt8Tensor "
    "BooleanTensor",
    "float32 float64 float16 int64 int32 int16 int8 uint8 bool",
)
@rule("torch.FloatTensor:value")
class Float32Tensor(metaclass=OfOneDtype):
    """Makes tensors of float32; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("float32")

    def __new__(cls, *given, device=None):
        return made("float32", given)


@family(
    "FloatTensor DoubleTensor HalfTensor LongTensor IntTensor ShortTensor CharTensor ByteTensor BoolTensor",
    "Float32Tensor Float64Tensor Float16Tensor Int64Tensor Int32Tensor Int16Tensor Int8Tensor UInt8Tensor "
    "BooleanTensor",
)
@rule("torch.cuda.FloatTensor:value")
class Float32TensorOnGpu(Float32Tensor):
    on_gpu = True


# In annotations, where nothing asks for the dtype.
alias("torch.FloatTensor:annotated", "paddle.Tensor")
alias("torch.DoubleTensor:annotated", "paddle.Tensor")
alias("torch.HalfTensor:annotated", "paddle.Tensor")
alias("torch.LongTensor:annotated", "paddle.Tensor")
alias("torch.IntTensor:annotated", "paddle.Tensor")
alias("torch.ShortTensor:annotated", "paddle.Tensor")
alias("torch.CharTensor:annotated", "paddle.Tensor")
alias("torch.ByteTensor:annotated", "paddle.Tensor")
alias("torch.BoolTensor:annotated", "paddle.Tensor")
alias("torch.cuda.FloatTensor:annotated", "paddle.Tensor")
alias("torch.cuda.DoubleTensor:annotated", "paddle.Tensor")
alias("torch.cuda.HalfTensor:annotated", "paddle.Tensor")
alias("torch.cuda.LongTensor:annotated", "paddle.Tensor")
alias("torch.cuda.IntTensor:annotated", "paddle.Tensor")
alias("torch.cuda.ShortTensor:annotated", "paddle.Tensor")
alias("torch.cuda.CharTensor:annotated", "paddle.Tensor")
alias("torch.cuda.ByteTensor:annotated", "paddle.Tensor")
alias("torch.cuda.BoolTensor:annotated", "paddle.Tensor")
