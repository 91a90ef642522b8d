"""Attributes of Tensor, its sizes, and ways out of it."""

import paddle
import torch

from rewriters.rule import FloatTensor, IntTensor, alias, family, rule, same  # noqa: F401 - one is of a family

alias(torch.Tensor, "paddle.Tensor")


same("torch.Size.numel", "torch.Size.count", "torch.Size.index")


@rule("torch.Size:tested")
def is_instance(value, kind):
    """As isinstance; a size is a tuple, as in torch, and no list."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if isinstance(value, paddle.Size):
        return paddle.Size in kinds or isinstance(tuple(value), kinds)
    return isinstance(value, kinds)


@rule("torch.Size:key")
def hashable(value):
    """A size as a tuple, as in torch, also where a tuple has it; anything else as it is."""
    if isinstance(value, paddle.Size):
        return tuple(value)
    return tuple(map(hashable, value)) if type(value) is tuple else value


same(
    "torch.Tensor.shape",
    "torch.Tensor.ndim",
    "torch.Tensor.dtype",
    "torch.Tensor.device",
    "torch.Tensor.grad",
    "torch.Tensor.grad=",
    "torch.Tensor.data",
    "torch.Tensor.data=",
    "torch.Tensor.is_leaf",
    "torch.Tensor.itemsize",
    "torch.Tensor.T",
    "torch.Tensor.mT",
    "torch.Tensor.t",
    "torch.Tensor.item",
    "torch.Tensor.tolist",
    "torch.Tensor.data_ptr",
    "torch.Tensor.element_size",
    "torch.Tensor.expand_as",
    "torch.Tensor.exp",
    "torch.Tensor.log",
    "torch.Tensor.sqrt",
    "torch.Tensor.tanh",
    "torch.Tensor.abs",
)


# Paddle's tensors have one memory format: the rules leave the argument out.
alias(torch.contiguous_format, "None")
alias(torch.preserve_format, "None")
alias(torch.legacy_contiguous_format, "None")


@rule(torch.Tensor.name)
def name(self):
    # torch's tensors have one only inside TorchScript; Paddle's is a word that Paddle makes up
    return None


@rule(torch.Tensor.size)
def size(self):
    return self.shape


@rule(torch.Tensor.size)
def size(self, dim: None):
    return self.shape


@rule(torch.Tensor.size)
def size(self, dim):
    return self.shape[dim]


@rule("torch.Tensor.numel:unknown", "torch.Tensor.nelement:unknown")
def count_of_any(self):
    return int(self.numel())


@rule(torch.Tensor.numel, torch.Tensor.nelement)
def numel(self):
    return self.size


@rule(torch.Tensor.nbytes)
def nbytes(self):
    return self.size * self.element_size()


@rule(torch.Tensor.stride)
def stride(self, dim=None):
    return self.stride(dim)


@rule(torch.Tensor.storage_offset)
def storage_offset(self):
    return self.offset // self.element_size()


@rule(torch.Tensor.is_contiguous)
def is_contiguous(self, memory_format=None):
    if memory_format is not None:
        raise NotImplementedError("Paddle's tensors have one memory format; leave the question out")
    return self.is_contiguous()


@rule(torch.Tensor.contiguous)
def contiguous(self, memory_format=None):
    return self.contiguous()


@rule(torch.Tensor.clone, torch.clone)
def clone(input, *, memory_format=None):
    return input.clone()


@rule(torch.Tensor.numpy)
def numpy(self, *, force=False):
    return self.detach().numpy() if force else self.numpy()


@rule(torch.Tensor.to)
def to(self, dtype: paddle.dtype, non_blocking=False, copy=False, *, memory_format=None):
    return self.clone().astype(dtype) if copy else self.astype(dtype)


@rule(torch.Tensor.to)
def to(self, device, dtype: paddle.dtype, non_blocking=False, copy=False, *, memory_format=None):
    return self.clone().to(device, dtype) if copy else self.to(device, dtype)


@rule(torch.Tensor.to)
def to(self, device, dtype: None, non_blocking=False, copy=False, *, memory_format=None):
    return self.clone().to(device, dtype) if copy else self.to(device, dtype)


@rule(torch.Tensor.to)
def to(self, device, non_blocking: bool, copy=False, *, memory_format=None):
    return self.clone().to(device) if copy else self.to(device)


@rule(torch.Tensor.to)
def to(self, device, *, dtype, non_blocking=False, copy=False, memory_format=None):
    return self.clone().to(device, dtype) if copy else self.to(device, dtype)


@rule(torch.Tensor.to)
def to(self, *, dtype: paddle.dtype, non_blocking=False, copy=False, memory_format=None):
    return self.clone().astype(dtype) if copy else self.astype(dtype)


@rule(torch.Tensor.to)
def to(self, *, dtype, non_blocking=False, copy=False, memory_format=None):
    # astype(None) gives float64
    return self.clone().to(dtype=dtype) if copy else self.to(dtype=dtype)


@rule(torch.Tensor.to)
def to(self, *, non_blocking, copy=False):
    return self.clone() if copy else self


@rule(torch.Tensor.to)
def to(self, *, other, non_blocking=False, copy=False, memory_format=None):
    return self.clone().to(other) if copy else self.to(other)


@rule(torch.Tensor.to)
def to(self, *, memory_format=None, non_blocking=False, copy=False):
    # images whose channels come last are copied; what is transposed otherwise torch gives as it is
    return self.clone() if copy else self.contiguous()


@rule(torch.Tensor.to)
def to(self, device, dtype):
    return self.to(device, dtype)


@rule(torch.Tensor.to)
def to(self, device, *, non_blocking=False, copy=False, memory_format=None):
    # Paddle's takes a device, a dtype or a tensor too
    return self.clone().to(device) if copy else self.to(device)


@rule(torch.Tensor.requires_grad)
def requires_grad(self):
    return not self.stop_gradient


@rule("torch.Tensor.requires_grad=")
def set_requires_grad(self, value):
    self.stop_gradient = not value


@rule(torch.Tensor.requires_grad_)
def requires_grad_(self, requires_grad=True):
    self.stop_gradient = not requires_grad
    return self


@rule(torch.Tensor.apply_)
def apply_(self, callable):
    values = [callable(value) for value in self.flatten().tolist()]
    return paddle.assign(paddle.to_tensor(values, dtype=self.dtype).reshape(self.shape), self)


@rule(torch.Tensor.resize_)
def resize_(self, *sizes: int, memory_format=None):
    return self.resize_(sizes)


@rule(torch.Tensor.resize_)
def resize_(self, size: list | tuple, *, memory_format=None):
    return self.resize_(size)


@rule(torch.Tensor.resize_as_, torch.resize_as_)
def resize_as_(input, the_template, *, memory_format=None):
    return input.resize_(the_template.shape)


@rule("torch.Tensor:in_array")
def in_array(self, array):
    # numpy makes a number of one element by Paddle's float(x), which takes no axes
    return self.reshape([]) if self.size == 1 and array.dtype != object else self


@family("float int", "FloatTensor IntTensor")
@rule(torch.Tensor.__float__)
def to_float(input: FloatTensor):
    return input.item()


@family("float int complex")
@rule(torch.Tensor.__float__)
def to_float(input):
    return float(input.item())


@rule("torch.Tensor.tolist:half")
def numbers_of(self: FloatTensor):
    return self.astype("float64").tolist()


@rule("torch.Tensor.tolist:half")
def numbers_of(self):
    return (self.astype("float32") if self.dtype == paddle.bfloat16 else self).tolist()
