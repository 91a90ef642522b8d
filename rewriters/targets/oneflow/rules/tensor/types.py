"""torch.FloatTensor and the like in isinstance(): OneFlow's own are no classes of its tensors."""

import oneflow

from rewriters.rule import family, rule


class OfOneDtype(type):
    """isinstance() asks for the tensor's dtype and where it lies."""

    on_gpu = False

    def __instancecheck__(cls, value):
        alike = isinstance(value, oneflow.Tensor) and value.dtype == cls.dtype
        return alike and value.is_cuda == cls.on_gpu


@family(
    "FloatTensor DoubleTensor HalfTensor LongTensor IntTensor CharTensor ByteTensor BoolTensor",
    "Float32Tensor Float64Tensor Float16Tensor Int64Tensor Int32Tensor Int8Tensor UInt8Tensor BooleanTensor",
    "float32 float64 float16 int64 int32 int8 uint8 bool",
)
@rule("torch.FloatTensor:test")
class Float32Tensor(metaclass=OfOneDtype):
    dtype = oneflow.float32


@family(
    "FloatTensor DoubleTensor HalfTensor LongTensor IntTensor CharTensor ByteTensor BoolTensor",
    "Float32Tensor Float64Tensor Float16Tensor Int64Tensor Int32Tensor Int8Tensor UInt8Tensor BooleanTensor",
)
@rule("torch.cuda.FloatTensor:test")
class Float32TensorOnGpu(Float32Tensor):
    on_gpu = True
