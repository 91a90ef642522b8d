"""torch.FloatTensor and the like in isinstance(): OneFlow's own are no classes of its tensors."""

import oneflow

from rewriters.rule import rule


class OfOneDtype(type):
    """isinstance() asks for the tensor's dtype and where it lies."""

    on_gpu = False

    def __instancecheck__(cls, value):
        alike = isinstance(value, oneflow.Tensor) and value.dtype == cls.dtype
        return alike and value.is_cuda == cls.on_gpu


@rule("torch.FloatTensor:test")
class Float32Tensor(metaclass=OfOneDtype):
    dtype = oneflow.float32


@rule("torch.cuda.FloatTensor:test")
class Float32TensorOnGpu(Float32Tensor):
    on_gpu = True


@rule("torch.DoubleTensor:test")
class Float64Tensor(metaclass=OfOneDtype):
    dtype = oneflow.float64


@rule("torch.cuda.DoubleTensor:test")
class Float64TensorOnGpu(Float64Tensor):
    on_gpu = True


@rule("torch.HalfTensor:test")
class Float16Tensor(metaclass=OfOneDtype):
    dtype = oneflow.float16


@rule("torch.cuda.HalfTensor:test")
class Float16TensorOnGpu(Float16Tensor):
    on_gpu = True


@rule("torch.LongTensor:test")
class Int64Tensor(metaclass=OfOneDtype):
    dtype = oneflow.int64


@rule("torch.cuda.LongTensor:test")
class Int64TensorOnGpu(Int64Tensor):
    on_gpu = True


@rule("torch.IntTensor:test")
class Int32Tensor(metaclass=OfOneDtype):
    dtype = oneflow.int32


@rule("torch.cuda.IntTensor:test")
class Int32TensorOnGpu(Int32Tensor):
    on_gpu = True


@rule("torch.CharTensor:test")
class Int8Tensor(metaclass=OfOneDtype):
    dtype = oneflow.int8


@rule("torch.cuda.CharTensor:test")
class Int8TensorOnGpu(Int8Tensor):
    on_gpu = True


@rule("torch.ByteTensor:test")
class UInt8Tensor(metaclass=OfOneDtype):
    dtype = oneflow.uint8


@rule("torch.cuda.ByteTensor:test")
class UInt8TensorOnGpu(UInt8Tensor):
    on_gpu = True


@rule("torch.BoolTensor:test")
class BooleanTensor(metaclass=OfOneDtype):
    dtype = oneflow.bool


@rule("torch.cuda.BoolTensor:test")
class BooleanTensorOnGpu(BooleanTensor):
    on_gpu = True
