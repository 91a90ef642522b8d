"""Shapes that change in place: the tensor is given a view of its own memory."""

import oneflow
import torch

from rewriters.rule import rule


def seen_as(tensor, view):
    """The tensor, which from here on is seen as the view: a function of its data."""
    if tensor.requires_grad or tensor.storage_offset():
        raise NotImplementedError(
            "OneFlow 0.9 does not change the shape of what has a gradient, or is a part of another tensor, in place; "
            "assign the result: x = x.transpose(0, 1)"
        )
    tensor.data = view(tensor.data)
    return tensor


@rule(torch.Tensor.unsqueeze_)
def unsqueeze_(self, dim):
    return seen_as(self, lambda data: data.unsqueeze(dim))


def squeezed_in_place(self, dims):
    """Without those axes that are of one element."""
    if self.ndim == 0:
        return self
    gone = [axis % self.ndim for axis in dims]
    kept = [axis for axis, size in enumerate(self.shape) if axis not in gone or size != 1]
    shape, steps = [self.shape[axis] for axis in kept], [self.stride()[axis] for axis in kept]
    return seen_as(self, lambda data: oneflow.as_strided(data, shape, steps))


@rule(torch.Tensor.squeeze_)
def squeeze_(self):
    return squeezed_in_place(self, range(self.ndim))


@rule(torch.Tensor.squeeze_)
def squeeze_(self, dim):
    return squeezed_in_place(self, [dim] if isinstance(dim, int) else dim)


@rule(torch.Tensor.squeeze_)
def squeeze_(self, *dim: int):
    return squeezed_in_place(self, dim)


@rule(torch.Tensor.swapaxes_)
def swapaxes_(self, axis0, axis1):
    return seen_as(self, lambda data: data.transpose(axis0, axis1) if data.ndim else data)


@rule(torch.Tensor.transpose_, torch.Tensor.swapdims_)
def transpose_(self, dim0, dim1):
    return seen_as(self, lambda data: data.transpose(dim0, dim1) if data.ndim else data)


@rule(torch.Tensor.t_)
def t_(self):
    return seen_as(self, lambda data: data.transpose(0, 1) if data.ndim == 2 else data)
