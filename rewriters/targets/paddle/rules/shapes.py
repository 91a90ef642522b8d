"""Shapes: views, joins, splits, repeats."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.Tensor.view, torch.Tensor.reshape)
def reshape(self, *shape: int):
    return self.reshape(shape)


@rule(torch.Tensor.reshape)
def reshape(self, shape: list | tuple):  # noqa: F811
    return self.reshape(shape)


@rule(torch.Tensor.reshape)
def reshape(self, *shape):  # noqa: F811
    return self.reshape(*shape)


@rule(torch.Tensor.view)
def view(self, size: list | tuple):
    return self.reshape(size)


@rule(torch.Tensor.view)
def view(self, dtype: paddle.dtype):  # noqa: F811
    return self.view(dtype)


@rule(torch.Tensor.view)
def view(self, *size):  # noqa: F811
    return self.reshape(*size)


@rule(torch.reshape)
def reshape_function(input, shape):
    return paddle.reshape(input, shape)


@rule(torch.view_copy)
def view_copy(input, size):
    return paddle.reshape(input, size)


@rule(torch.Tensor.view_as, torch.Tensor.reshape_as)
def reshape_as(self, other):
    return self.reshape(other.shape)


@rule(torch.transpose, torch.swapdims, torch.transpose_copy)
def transpose(input, dim0, dim1):
    return input.swapaxes(dim0, dim1)


@rule(torch.Tensor.transpose, torch.Tensor.swapdims)
def transpose(self, dim0, dim1):  # noqa: F811
    return self.swapaxes(dim0, dim1)


@rule(torch.swapaxes, torch.Tensor.swapaxes)
def swapaxes(input, axis0, axis1):
    return input.swapaxes(axis0, axis1)


@rule(torch.permute, torch.permute_copy)
def permute(input, dims):
    return paddle.transpose(input, dims)


@rule(torch.Tensor.permute)
def permute(self, *dims: int):  # noqa: F811
    return self.transpose(dims)


@rule(torch.Tensor.permute)
def permute(self, dims: list | tuple):  # noqa: F811
    return self.transpose(dims)


@rule(torch.movedim, torch.moveaxis, torch.Tensor.movedim, torch.Tensor.moveaxis)
def movedim(input, source, destination):
    return paddle.moveaxis(input, source, destination)


@rule(torch.t_copy)
def t_copy(input):
    return paddle.t(input)


@rule(torch.adjoint, torch.Tensor.adjoint)
def adjoint(input):
    return paddle.matrix_transpose(paddle.conj(input)) if input.is_complex() else paddle.matrix_transpose(input)


@rule(torch.Tensor.H, torch.Tensor.mH)
def hermitian(self):
    return self.mT.conj() if self.is_complex() else self.mT


@rule(torch.unsqueeze, torch.unsqueeze_copy, torch.Tensor.unsqueeze)
def unsqueeze(input, dim):
    return paddle.unsqueeze(input, dim)


@rule(torch.squeeze, torch.squeeze_copy, torch.Tensor.squeeze)
def squeeze(input, dim=None):
    if isinstance(dim, (list, tuple)) and len(dim) == 0:
        return input  # for Paddle no axes are all of them
    return paddle.squeeze(input, axis=dim)


@rule(torch.flatten, torch.Tensor.flatten)
def flatten(input, start_dim=0, end_dim=-1):
    return paddle.flatten(input, start_axis=start_dim, stop_axis=end_dim)


@rule(torch.unflatten, torch.Tensor.unflatten)
def unflatten(input, dim, sizes):
    return paddle.unflatten(input, dim, sizes)


@rule(torch.ravel, torch.Tensor.ravel)
def ravel(input):
    return paddle.flatten(input)


@rule(torch.Tensor.expand)
def expand(self, *size: int):
    return self.expand(size)


@rule(torch.Tensor.expand)
def expand(self, size: list | tuple):  # noqa: F811
    return self.expand(size)


@rule(torch.Tensor.expand)
def expand(self, *size):  # noqa: F811
    return self.expand(*size)


@rule(torch.expand_copy, torch.broadcast_to, torch.Tensor.broadcast_to)
def broadcast_to(input, size):
    return paddle.expand(input, size)


@rule(torch.Tensor.sum_to_size)
def sum_to_size(self, *size: int):
    return paddle.reduce_as(self, paddle.empty(size, dtype=self.dtype))


@rule(torch.Tensor.sum_to_size)
def sum_to_size(self, size: list | tuple):  # noqa: F811
    return paddle.reduce_as(self, paddle.empty(size, dtype=self.dtype))


@rule(torch.Tensor.repeat)
def repeat(self, *repeats: int):
    return self.tile(repeats)


@rule(torch.Tensor.repeat)
def repeat(self, repeats: list | tuple):  # noqa: F811
    return self.tile(repeats)


@rule(torch.Tensor.repeat)
def repeat(self, *repeats):  # noqa: F811
    return self.repeat(*repeats)


@rule(torch.tile)
def tile(input, dims):
    return paddle.tile(input, dims)


@rule(torch.Tensor.tile)
def tile(self, *dims: int):  # noqa: F811
    return self.tile(dims)


@rule(torch.Tensor.tile)
def tile(self, dims: list | tuple):  # noqa: F811
    return self.tile(dims)


@rule(torch.Tensor.tile)
def tile(self, *dims):  # noqa: F811
    return self.tile(dims[0] if len(dims) == 1 else dims)


@rule(torch.repeat_interleave, torch.Tensor.repeat_interleave)
def repeat_interleave(input, repeats, dim=None, *, output_size=None):
    return paddle.repeat_interleave(input, repeats, axis=dim)


@rule(torch.flip)
def flip(input, dims):
    return paddle.flip(input, axis=dims)


@rule(torch.Tensor.flip)
def flip(self, *dims: int):  # noqa: F811
    return self.flip(dims)


@rule(torch.Tensor.flip)
def flip(self, dims: list | tuple):  # noqa: F811
    return self.flip(dims)


@rule(torch.fliplr, torch.Tensor.fliplr)
def fliplr(input):
    return paddle.flip(input, 1)


@rule(torch.flipud, torch.Tensor.flipud)
def flipud(input):
    return paddle.flip(input, 0)


@rule(torch.roll, torch.Tensor.roll)
def roll(input, shifts, dims=None):
    return paddle.roll(input, shifts, axis=dims)


@rule(torch.rot90, torch.Tensor.rot90)
def rot90(input, k=1, dims=(0, 1)):
    return paddle.rot90(input, k=k, axes=dims)


@rule(torch.atleast_1d)
def atleast_1d(*tensors: paddle.Tensor):
    return paddle.atleast_1d(*tensors)


@rule(torch.atleast_1d)
def atleast_1d(tensors: list | tuple):  # noqa: F811
    return paddle.atleast_1d(*tensors)


@rule(torch.atleast_2d)
def atleast_2d(*tensors: paddle.Tensor):
    return paddle.atleast_2d(*tensors)


@rule(torch.atleast_2d)
def atleast_2d(tensors: list | tuple):  # noqa: F811
    return paddle.atleast_2d(*tensors)


@rule(torch.atleast_3d)
def atleast_3d(*tensors: paddle.Tensor):
    return paddle.atleast_3d(*tensors)


@rule(torch.atleast_3d)
def atleast_3d(tensors: list | tuple):  # noqa: F811
    return paddle.atleast_3d(*tensors)


@rule(torch.broadcast_tensors)
def broadcast_tensors(*tensors):
    # the backward of paddle.broadcast_tensors crashes where one of them wants no gradient
    shape = paddle.broadcast_shapes(*[tensor.shape for tensor in tensors])
    return tuple(paddle.expand(tensor, shape) for tensor in tensors)


@rule(torch.broadcast_shapes)
def broadcast_shapes(*shapes):
    return paddle.Size(paddle.broadcast_shapes(*shapes))


@rule(torch.meshgrid)
def meshgrid(tensor: paddle.Tensor, *, indexing="ij"):
    return (tensor.flatten(),)  # paddle.meshgrid of one has no gradient


@rule(torch.meshgrid)
def meshgrid(*tensors: paddle.Tensor, indexing="ij"):  # noqa: F811
    if indexing == "ij":
        return paddle.meshgrid(*tensors)
    return paddle.meshgrid(*tensors, indexing=indexing)


@rule(torch.meshgrid)
def meshgrid(tensors: list | tuple, *, indexing="ij"):  # noqa: F811
    return paddle.meshgrid(tensors, indexing=indexing)


@rule(torch.view_as_real_copy)
def view_as_real_copy(input):
    return paddle.as_real(input)


@rule(torch.view_as_complex_copy)
def view_as_complex_copy(input):
    return paddle.as_complex(input)


@rule(torch.alias_copy)
def alias_copy(input):
    return input.clone()


@rule(torch.Tensor.dim, torch.Tensor.ndimension)
def dim(self):
    return self.ndim
