"""What is asked of a tensor's memory, and what is written through strides or element by element."""

import math

import numpy
import paddle
import torch

from rewriters.rule import differs, rule


@rule(torch.Tensor.const_data_ptr)
def const_data_ptr(self):
    return self.data_ptr()


@rule(torch.Tensor.is_set_to)
def is_set_to(self, tensor):
    return (self.data_ptr(), self.shape, self.strides) == (tensor.data_ptr(), tensor.shape, tensor.strides)


@rule(torch.Tensor.set_)
def set_(self):
    differs("what shares memory with a tensor goes on as before in torch, and with it in Paddle; bind another tensor")
    return self.set_()


@rule(torch.Tensor.set_)
def set_(self, source: paddle.Tensor):
    differs("a view's offset is lost, and what shares memory with the tensor goes with it; bind the name to the source")
    return self.set_(source)


@rule(torch.Tensor.set_)
def set_(self, source: paddle.Tensor, storage_offset, size, stride):
    differs("what shares memory with the tensor goes with it; bind the name to source.as_strided(size, stride)")
    # Paddle counts the offset in bytes
    return self.set_(source, size, stride, storage_offset * source.element_size())


@rule(torch.Tensor.is_shared)
def is_shared(self):
    # torch's are on a GPU always, on a CPU by share_memory_(), which is not converted
    return not self.place.is_cpu_place()


@rule(torch.Tensor.dim_order)
def dim_order(self, ambiguity_check=False):
    return tuple(sorted(range(self.ndim), key=lambda axis: -self.strides[axis]))


@rule(torch.Tensor.map_)
def map_(self, tensor, callable):
    other = paddle.expand(tensor, self.shape).flatten().tolist()
    found = [callable(mine, yours) for mine, yours in zip(self.flatten().tolist(), other, strict=True)]
    return paddle.assign(paddle.to_tensor(found, self.dtype).reshape(self.shape), self)


@rule(torch.is_storage)
def is_storage(obj):
    # Paddle shows none
    return False


@rule(torch.from_file)
def from_file(
    filename, shared=None, size=0, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    if shared:
        raise NotImplementedError("Paddle's tensors are copies of a file's content; write it back with numpy")
    dtype = paddle.get_default_dtype() if dtype is None else str(dtype).rpartition(".")[2]
    found = paddle.to_tensor(numpy.fromfile(filename, dtype, size))
    found.stop_gradient = not requires_grad
    return found


@rule(torch.as_strided_scatter, torch.Tensor.as_strided_scatter)
def as_strided_scatter(input, src, size, stride, storage_offset=0):
    places = paddle.to_tensor(storage_offset or 0, dtype="int64")
    for length, step in zip(size, stride, strict=True):
        places = places.unsqueeze(-1) + paddle.arange(length, dtype="int64") * step
    if not math.prod(size):
        return input.clone()
    # each element is one tensor's or the other's, and so is the gradient; torch's own goes to the wrong one
    places = places.flatten()
    taken = paddle.put_along_axis(paddle.full([input.size], -1, "int64"), places, paddle.arange(places.size), 0)
    written = paddle.gather(src.astype(input.dtype).flatten(), paddle.clip(taken, min=0))
    return paddle.where(taken >= 0, written, input.flatten()).reshape(input.shape)
