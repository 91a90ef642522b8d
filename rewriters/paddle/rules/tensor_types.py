"""torch.FloatTensor and the like as values: ``Tensor = torch.FloatTensor`` makes tensors, and others are cast to it."""

import numpy
import paddle

from rewriters.rule import rule


def made(dtype, given):
    """A tensor of sizes, or of data."""
    if all(isinstance(size, int) for size in given):
        return paddle.empty(list(given) or [0], dtype=dtype)
    return paddle.to_tensor(given[0], dtype=dtype)


@rule("torch.FloatTensor:value", "torch.cuda.FloatTensor:value")
class Float32Tensor:
    """Makes tensors of float32; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("float32")

    def __new__(cls, *given, device=None):
        return made("float32", given)


@rule("torch.DoubleTensor:value", "torch.cuda.DoubleTensor:value")
class Float64Tensor:
    """Makes tensors of float64; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("float64")

    def __new__(cls, *given, device=None):
        return made("float64", given)


@rule("torch.HalfTensor:value", "torch.cuda.HalfTensor:value")
class Float16Tensor:
    """Makes tensors of float16; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("float16")

    def __new__(cls, *given, device=None):
        return made("float16", given)


@rule("torch.LongTensor:value", "torch.cuda.LongTensor:value")
class Int64Tensor:
    """Makes tensors of int64; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("int64")

    def __new__(cls, *given, device=None):
        return made("int64", given)


@rule("torch.IntTensor:value", "torch.cuda.IntTensor:value")
class Int32Tensor:
    """Makes tensors of int32; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("int32")

    def __new__(cls, *given, device=None):
        return made("int32", given)


@rule("torch.ShortTensor:value", "torch.cuda.ShortTensor:value")
class Int16Tensor:
    """Makes tensors of int16; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("int16")

    def __new__(cls, *given, device=None):
        return made("int16", given)


@rule("torch.CharTensor:value", "torch.cuda.CharTensor:value")
class Int8Tensor:
    """Makes tensors of int8; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("int8")

    def __new__(cls, *given, device=None):
        return made("int8", given)


@rule("torch.ByteTensor:value", "torch.cuda.ByteTensor:value")
class UInt8Tensor:
    """Makes tensors of uint8; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("uint8")

    def __new__(cls, *given, device=None):
        return made("uint8", given)


@rule("torch.BoolTensor:value", "torch.cuda.BoolTensor:value")
class BooleanTensor:
    """Makes tensors of bool; astype() takes it for that dtype, as numpy does."""

    dtype = numpy.dtype("bool")

    def __new__(cls, *given, device=None):
        return made("bool", given)
