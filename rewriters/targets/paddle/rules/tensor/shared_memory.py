"""Results that share memory with what they are given, where a program writes to one and reads the other.

Paddle's own functions of these names give copies; slices, as_strided and DLPack do not.
"""

import copy
import itertools

import numpy as np
import paddle

from rewriters.rule import differs, rule
from rewriters.targets.paddle.rules.shapes import broadcast_tensors


def slices(input, sizes, axis):
    """Parts of these sizes, one after another."""
    axis = axis % input.ndim
    before = [slice(None)] * axis
    ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
    return tuple(input[(*before, slice(end - size, end))] for size, end in zip(sizes, ends, strict=True))


@rule("torch.chunk:shared", "torch.Tensor.chunk:shared")
def chunks_of(input, chunks, dim=0):
    length = input.shape[dim]
    size = max(1, -(-length // chunks))
    return slices(input, [min(size, length - start) for start in range(0, length, size)], dim)


@rule("torch.split:shared", "torch.Tensor.split:shared")
def pieces_of(tensor, split_size_or_sections, dim=0):
    sizes = split_size_or_sections
    if isinstance(sizes, int):
        length = tensor.shape[dim]
        sizes = [min(sizes, length - start) for start in range(0, length, sizes)]
    return slices(tensor, sizes, dim)


@rule("torch.split_with_sizes:shared", "torch.Tensor.split_with_sizes:shared")
def sections_of(input, split_sizes, dim=0):
    return slices(input, split_sizes, dim)


@rule("torch.tensor_split:shared", "torch.Tensor.tensor_split:shared")
def parts_of(input, indices_or_sections, dim=0):
    length = input.shape[dim]
    if isinstance(indices_or_sections, int):
        size, more = divmod(length, indices_or_sections)
        return slices(input, [size + (index < more) for index in range(indices_or_sections)], dim)
    places = [0, *(min(int(place), length) for place in indices_or_sections), length]
    return slices(input, [end - start for start, end in itertools.pairwise(places)], dim)


@rule("torch.Tensor.expand:shared")
def expanded(self, *size):
    size = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    new = len(size) - self.ndim
    old = [1] * new + list(self.shape)
    strides = [0] * new + list(self.strides)
    shape = [given if wanted == -1 else wanted for given, wanted in zip(old, size, strict=True)]
    strides = [step if a == b else 0 for a, b, step in zip(old, shape, strides, strict=True)]
    return self.as_strided(shape, strides, self.offset)  # in bytes


@rule("torch.as_strided:shared", "torch.Tensor.as_strided:shared")
def strided_view(input, size, stride, storage_offset=None):
    start = input.offset if storage_offset is None else storage_offset * input.element_size()
    return input.as_strided(list(size), list(stride), start)


@rule("torch.Tensor.expand_as:shared")
def expanded_as(self, other):
    return expanded(self, *other.shape)


@rule("torch.broadcast_to:shared", "torch.Tensor.broadcast_to:shared")
def broadcast(input, size):
    return expanded(input, *size)


@rule("torch.broadcast_tensors:shared")
def broadcast_alike(*tensors):
    shape = paddle.broadcast_shapes(*[tensor.shape for tensor in tensors])
    return tuple(expanded(tensor, *shape) for tensor in tensors)


@rule("torch.Tensor.expand:stored")
def stored_expanded(self, *size):
    differs("Paddle stores no items into what is expanded: store them into the tensor before it is expanded")
    return self.expand(*size)


@rule("torch.Tensor.expand_as:stored")
def stored_expanded_as(self, other):
    differs("Paddle stores no items into what is expanded: store them into the tensor before it is expanded")
    return paddle.expand_as(self, other)


@rule("torch.broadcast_to:stored", "torch.Tensor.broadcast_to:stored")
def stored_broadcast(input, size):
    differs("Paddle stores no items into what is expanded: store them into the tensor before it is expanded")
    return paddle.expand(input, size)


@rule("torch.broadcast_tensors:stored")
def stored_broadcast_alike(*tensors):
    differs("Paddle stores no items into what is expanded: store them into the tensor before it is expanded")
    return broadcast_tensors(*tensors)


@rule("torch.from_numpy:shared")
def tensor_on(ndarray):
    """A tensor in the array's memory; one that may not be written to is copied."""
    return paddle.from_dlpack(ndarray) if ndarray.flags.writeable else paddle.to_tensor(ndarray)


@rule("torch.Tensor:shared", "torch.FloatTensor:shared")
def tensor_of_floats_on(data):
    if isinstance(data, paddle.Tensor):
        return data
    if isinstance(data, np.ndarray) and data.dtype == np.float32 and data.flags.writeable:
        return paddle.from_dlpack(data)
    if isinstance(data, (int, paddle.Size)):
        return paddle.empty([data] if isinstance(data, int) else data, dtype="float32")
    return paddle.to_tensor(data, dtype="float32")


def same_memory(data):
    """The tensor itself, one in the array's memory, or a new one."""
    if isinstance(data, paddle.Tensor):
        return data
    return tensor_on(data) if isinstance(data, np.ndarray) else paddle.to_tensor(data)


@rule("torch.as_tensor:shared", "torch.as_tensor:own")
def as_tensor_on(data, dtype=None, device=None):
    tensor = same_memory(data)
    return tensor if dtype is None or dtype == tensor.dtype else tensor.astype(dtype)


@rule("torch.asarray:shared", "torch.asarray:own")
def asarray_on(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    tensor = paddle.to_tensor(obj) if copy else same_memory(obj)
    tensor = tensor if dtype is None or dtype == tensor.dtype else tensor.astype(dtype)
    tensor.stop_gradient = not requires_grad
    return tensor


@rule("torch.Tensor.numpy:shared")
def array_on(self, *, force=False):
    if not isinstance(self, paddle.Tensor):
        return self.numpy()  # what is not known, and none
    return np.from_dlpack(self.detach())


@rule("torch.Tensor.numpy:asarray")
def asarray_of(self, dtype=None):
    """An array in the memory of what may be a tensor."""
    return np.asarray(array_on(self) if isinstance(self, paddle.Tensor) else self, dtype)


@rule("torch.Tensor.__copy__:shared")
def shallow_copy(x):
    """As copy.copy; of a tensor, another one in its memory."""
    if not isinstance(x, paddle.Tensor):
        return copy.copy(x)
    made = paddle.nn.Parameter(x) if isinstance(x, paddle.nn.Parameter) else copy.copy(x.detach())
    made.get_tensor()._share_data_with(x.get_tensor())
    made.stop_gradient = x.stop_gradient
    return made


@rule("torch.Tensor.__deepcopy__:deeply")
def deep_copy(x):
    """As copy.deepcopy; tensors in it have a gradient as before."""
    memo = {}
    made = copy.deepcopy(x, memo)
    for one in memo.get(id(memo), ()):  # what was copied
        own = isinstance(one, paddle.Tensor) and not isinstance(one, paddle.nn.Parameter)
        if own and one.grad is not None:
            memo[id(one)].grad = one.grad.clone()
    return made
