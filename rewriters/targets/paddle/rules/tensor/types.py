"""torch.FloatTensor and the like as values: ``Tensor = torch.FloatTensor`` makes tensors, and others are cast to it."""

import numpy
import paddle

from rewriters.rule import rule


def made(dtype, given):
    """A tensor of sizes, or of data."""
    if all(isinstance(size, int) for size in given):
        return paddle.empty(list(given) or [0], dtype=dtype)
    return paddle.to_tensor(given[0], dtype=dtype)


class OfOneDtype(type):
    """isinstance() asks for the tensor's dtype and where it lies."""

    on_gpu = False

    def __instancecheck__(cls, value):
        alike = isinstance(value, paddle.Tensor) and str(value.dtype) == f"paddle.{cls.dtype}"
        return alike and value.place.is_gpu_place() == cls.on_gpu


@rule("torch.FloatTensor:value")
class Float32Tensor(metaclass=OfOneDtype):
    """Makes tensors of float32; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("float32")

    def __new__(cls, *given, device=None):
        return made("float32", given)


@rule("torch.DoubleTensor:value")
class Float64Tensor(metaclass=OfOneDtype):
    """Makes tensors of float64; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("float64")

    def __new__(cls, *given, device=None):
        return made("float64", given)


@rule("torch.HalfTensor:value")
class Float16Tensor(metaclass=OfOneDtype):
    """Makes tensors of float16; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("float16")

    def __new__(cls, *given, device=None):
        return made("float16", given)


@rule("torch.LongTensor:value")
class Int64Tensor(metaclass=OfOneDtype):
    """Makes tensors of int64; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("int64")

    def __new__(cls, *given, device=None):
        return made("int64", given)


@rule("torch.IntTensor:value")
class Int32Tensor(metaclass=OfOneDtype):
    """Makes tensors of int32; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("int32")

    def __new__(cls, *given, device=None):
        return made("int32", given)


@rule("torch.ShortTensor:value")
class Int16Tensor(metaclass=OfOneDtype):
    """Makes tensors of int16; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("int16")

    def __new__(cls, *given, device=None):
        return made("int16", given)


@rule("torch.CharTensor:value")
class Int8Tensor(metaclass=OfOneDtype):
    """Makes tensors of int8; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("int8")

    def __new__(cls, *given, device=None):
        return made("int8", given)


@rule("torch.ByteTensor:value")
class UInt8Tensor(metaclass=OfOneDtype):
    """Makes tensors of uint8; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("uint8")

    def __new__(cls, *given, device=None):
        return made("uint8", given)


@rule("torch.BoolTensor:value")
class BooleanTensor(metaclass=OfOneDtype):
    """Makes tensors of bool; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("bool")

    def __new__(cls, *given, device=None):
        return made("bool", given)


@rule("torch.cuda.FloatTensor:value")
class Float32TensorOnGpu(Float32Tensor):
    on_gpu = True


@rule("torch.cuda.DoubleTensor:value")
class Float64TensorOnGpu(Float64Tensor):
    on_gpu = True


@rule("torch.cuda.HalfTensor:value")
class Float16TensorOnGpu(Float16Tensor):
    on_gpu = True


@rule("torch.cuda.LongTensor:value")
class Int64TensorOnGpu(Int64Tensor):
    on_gpu = True


@rule("torch.cuda.IntTensor:value")
class Int32TensorOnGpu(Int32Tensor):
    on_gpu = True


@rule("torch.cuda.ShortTensor:value")
class Int16TensorOnGpu(Int16Tensor):
    on_gpu = True


@rule("torch.cuda.CharTensor:value")
class Int8TensorOnGpu(Int8Tensor):
    on_gpu = True


@rule("torch.cuda.ByteTensor:value")
class UInt8TensorOnGpu(UInt8Tensor):
    on_gpu = True


@rule("torch.cuda.BoolTensor:value")
class BooleanTensorOnGpu(BooleanTensor):
    on_gpu = True
