"""Methods and properties of Tensor."""

import math

import jax
import jax.numpy as jnp
import numpy
import torch

from rewriters.rule import alias, family, note, rule, same

alias(torch.Size, "tuple")
note(torch.Size, "a shape is a tuple in JAX, and so isinstance(x, torch.Size) is true of every tuple")
same("torch.Tensor.shape", "torch.Tensor.ndim", "torch.Tensor.dtype", "torch.Tensor.item", "torch.Tensor.tolist")


@rule(torch.Tensor.size)
def size(self):
    return self.shape


@rule(torch.Tensor.size)
def size(self, dim):
    return self.shape[dim]


@rule(torch.Tensor.dim, torch.Tensor.ndimension)
def dim(self):
    return self.ndim


@rule(torch.Tensor.numel, torch.Tensor.nelement)
def numel(self):
    return self.size


@rule(torch.Tensor.element_size)
def element_size(self):
    return self.dtype.itemsize


@rule(torch.Tensor.itemsize)
def itemsize(self):
    return self.dtype.itemsize


@rule(torch.Tensor.nbytes)
def nbytes(self):
    return self.nbytes


@rule(torch.Tensor.numpy)
def numpy_array(self, *, force=False):
    # torch's shares memory with the tensor, and may be written to
    return numpy.array(self)


@rule(torch.Tensor.detach, torch.detach, torch.detach_copy)
def detach(input):
    return jax.lax.stop_gradient(input)


@rule(torch.Tensor.data)
def data(self):
    return jax.lax.stop_gradient(self)


@rule(torch.Tensor.cpu)
def cpu(self, memory_format=None):
    return self


@rule(torch.Tensor.cuda)
def cuda(self, device=None, non_blocking=False, memory_format=None):
    # JAX puts arrays on its accelerator by itself
    return self


@rule(torch.Tensor.pin_memory)
def pin_memory(self, device=None):
    return self


def is_dtype(value):
    """Whether it is a dtype, by any of its names."""
    return isinstance(value, (numpy.dtype, type(jnp.float32), type))


@rule(torch.Tensor.to)
def to(self, dtype: numpy.dtype, non_blocking=False, copy=False, *, memory_format=None):
    return self.astype(dtype)


@rule(torch.Tensor.to)
def to(self, other: jax.Array, non_blocking=False, copy=False, *, memory_format=None):
    return self.astype(other.dtype)


@rule(torch.Tensor.to)
def to(self, device: str | int | jax.Device, *, non_blocking=False, copy=False, memory_format=None):
    return self


@rule(torch.Tensor.to)
def to(self, *, device, non_blocking=False, copy=False, memory_format=None):
    return self


@rule(torch.Tensor.to)
def to(self, *, dtype, device=None, non_blocking=False, copy=False, memory_format=None):
    return self.astype(self.dtype if dtype is None else dtype)


@rule(torch.Tensor.to)
def to(self, device, dtype: numpy.dtype, non_blocking=False, copy=False, *, memory_format=None):
    return self.astype(dtype)


@rule(torch.Tensor.to)
def to(self, *, memory_format=None, non_blocking=False, copy=False):
    return self


@rule(torch.Tensor.to)
def to(self, *args, device=None, dtype=None, other=None, non_blocking=False, copy=False, memory_format=None):
    # a dtype, a tensor, or a device, of which JAX takes care
    for value in (*args, other):
        dtype = value.dtype if isinstance(value, jax.Array) else value if is_dtype(value) else dtype
    return self if dtype is None else self.astype(dtype)


@rule(torch.Size.numel)
def numel(self):
    return math.prod(self)


@family("is_quantized is_meta is_mkldnn is_mps is_nested is_sparse_csr is_xla is_xpu")
@rule(torch.Tensor.is_quantized)
def is_quantized(self):
    return False


@rule(torch.Tensor.is_cpu)
def is_cpu(self):
    return self.device.platform == "cpu"


@rule(torch.Tensor.is_contiguous)
def is_contiguous(self, memory_format=None):
    return True


@rule(torch.Tensor.storage_offset)
def storage_offset(self):
    return 0


@rule(torch.Tensor.device)
def device(self):
    # what is traced for a gradient or compiled tells none
    return jax.devices()[0]


@rule(torch.Tensor.get_device, torch.get_device)
def get_device(input):
    return -1


@rule(torch.Tensor.is_cuda)
def is_on_cuda(self):
    return jax.default_backend() == "gpu"


def strides_of(shape):
    """In elements, as of what lies in one piece."""
    return tuple(math.prod(max(size, 1) for size in shape[axis + 1 :]) for axis in range(len(shape)))


@rule(torch.Tensor.stride)
def stride(self):
    return strides_of(self.shape)


@rule(torch.Tensor.stride)
def stride(self, dim):
    return strides_of(self.shape)[dim]


@rule(torch.Tensor.dim_order)
def dim_order(self, *, ambiguity_check=False):
    return tuple(range(self.ndim))


@family("is_pinned is_shared", ("self, device=None", "self"))
@rule(torch.Tensor.is_pinned)
def is_pinned(self, device=None):
    return False


@family("is_maia is_mtia is_vulkan")
@rule(torch.Tensor.is_maia)
def is_maia(self):
    return False


@rule(torch.Tensor.name)
def name(self):
    return None


@rule(torch.Tensor.as_subclass)
def as_subclass(self, cls):
    if cls is not jax.Array:
        raise NotImplementedError("no class is derived from JAX's arrays: keep the array in an object of its own")
    return self


@family("float int")
@rule(torch.Tensor.__float__)
def to_number(input):
    # Python's own takes no axes, also of one element
    return float(input.item())
