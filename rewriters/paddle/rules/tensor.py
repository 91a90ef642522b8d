"""Methods and properties of Tensor."""

import paddle
import torch

from rewriters.rule import alias, rule, same

alias(torch.Tensor, "paddle.Tensor")

# Proved by tests/rewriters/test_rules_run.py until the generated table takes them over.
same(
    "torch.Tensor.shape",
    "torch.Tensor.ndim",
    "torch.Tensor.dim",
    "torch.Tensor.dtype",
    "torch.Tensor.device",
    "torch.Tensor.grad",
    "torch.Tensor.T",
    "torch.Tensor.t",
    "torch.Tensor.item",
    "torch.Tensor.tolist",
    "torch.Tensor.numpy",
    "torch.Tensor.detach",
    "torch.Tensor.clone",
    "torch.Tensor.cpu",
    "torch.Tensor.cuda",
    "torch.Tensor.to",
    "torch.Tensor.contiguous",
    "torch.Tensor.backward",
    "torch.Tensor.masked_fill",
    "torch.Tensor.expand_as",
    "torch.Tensor.float",
    "torch.Tensor.half",
    "torch.Tensor.double",
    "torch.Tensor.long",
    "torch.Tensor.int",
    "torch.Tensor.bool",
    "torch.Tensor.exp",
    "torch.Tensor.log",
    "torch.Tensor.sqrt",
    "torch.Tensor.tanh",
    "torch.Tensor.abs",
)


@rule(torch.Tensor.size)
def size(self):
    return self.shape


@rule(torch.Tensor.size)
def size(self, dim):  # noqa: F811  (an overload)
    return self.shape[dim]


@rule(torch.Tensor.numel, torch.Tensor.nelement)
def numel(self):
    return self.size


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


@rule(torch.Tensor.view, torch.Tensor.reshape)
def reshape(self, *shape: int):
    return self.reshape(shape)


@rule(torch.Tensor.view, torch.Tensor.reshape)
def reshape(self, shape: list | tuple):  # noqa: F811
    return self.reshape(shape)


@rule(torch.Tensor.reshape)
def reshape(self, *shape):  # noqa: F811
    return self.reshape(*shape)


@rule(torch.Tensor.view)
def view(self, dtype: paddle.dtype):
    return self.view(dtype)


@rule(torch.Tensor.transpose, torch.transpose, torch.swapaxes, torch.Tensor.swapaxes)
def transpose(input, dim0, dim1):
    return input.swapaxes(dim0, dim1)


@rule(torch.Tensor.permute)
def permute(self, *dims: int):
    return self.transpose(dims)


@rule(torch.Tensor.permute)
def permute(self, dims: list | tuple):  # noqa: F811
    return self.transpose(dims)


@rule(torch.Tensor.split, torch.split)
def split(tensor, split_size_or_sections: list | tuple, dim=0):
    return paddle.split(tensor, split_size_or_sections, axis=dim)


@rule(torch.Tensor.split, torch.split)
def split(tensor, split_size_or_sections: int, dim=0):  # noqa: F811
    # paddle.split takes the number of pieces, torch's their size
    return paddle.compat.split(tensor, split_size_or_sections, dim=dim)


@rule(torch.Tensor.chunk, torch.chunk)
def chunk(input, chunks, dim=0):
    return paddle.chunk(input, chunks, axis=dim)


@rule(torch.Tensor.unsqueeze)
def unsqueeze(self, dim):
    return self.unsqueeze(dim)


@rule(torch.Tensor.squeeze)
def squeeze(self, dim=None):
    return self.squeeze(axis=dim)


@rule(torch.Tensor.flatten)
def flatten(self, start_dim=0, end_dim=-1):
    return self.flatten(start_axis=start_dim, stop_axis=end_dim)


@rule(torch.Tensor.expand)
def expand(self, *size: int):
    return self.expand(size)


@rule(torch.Tensor.expand)
def expand(self, size: list | tuple):  # noqa: F811
    return self.expand(size)


@rule(torch.Tensor.repeat)
def repeat(self, *repeats: int):
    return self.tile(repeats)


@rule(torch.Tensor.repeat)
def repeat(self, repeats: list | tuple):  # noqa: F811
    return self.tile(repeats)


@rule(torch.Tensor.repeat)
def repeat(self, *repeats):  # noqa: F811
    return self.repeat(*repeats)


@rule(torch.topk)
def topk(input, k, dim=-1, largest=True, sorted=True):
    return paddle.topk(input, k, axis=None if dim == -1 else dim, largest=largest, sorted=sorted)


@rule(torch.Tensor.topk)
def topk(self, k, dim=-1, largest=True, sorted=True):  # noqa: F811
    return self.topk(k, axis=None if dim == -1 else dim, largest=largest, sorted=sorted)


@rule(torch.Tensor.eq)
def eq(self, other: paddle.Tensor):
    return self.equal(other)


@rule(torch.Tensor.eq)
def eq(self, other: int | float | bool):  # noqa: F811
    return self == other


@rule(torch.Tensor.mul_)
def mul_(self, other: paddle.Tensor):
    return self.multiply_(other)


@rule(torch.Tensor.mul_)
def mul_(self, other: int | float):  # noqa: F811
    return self.scale_(other)


@rule(torch.Tensor.sum)
def sum(self, dim=None, keepdim=False, dtype=None):
    return self.sum(axis=dim, keepdim=keepdim, dtype=dtype)


@rule(torch.Tensor.mean)
def mean(self, dim=None, keepdim=False):
    return self.mean(axis=dim, keepdim=keepdim)
