"""Shapes: views, joins, splits, repeats."""

import math

import paddle
import torch

from rewriters.rule import BoolTensor, Rank, becomes, family, rule

becomes(torch.unsqueeze, torch.unsqueeze_copy, torch.Tensor.unsqueeze, paddle.unsqueeze)
becomes(torch.unflatten, torch.Tensor.unflatten, paddle.unflatten)
becomes(torch.tile, paddle.tile)
becomes(torch.alias_copy, paddle.Tensor.clone)


@rule(torch.Tensor.view, torch.Tensor.reshape)
def reshape(self, *shape: int):
    return self.reshape(shape)


@family("reshape expand tile", "shape size dims")
@rule(torch.Tensor.reshape)
def reshape(self, shape: list | tuple):
    return self.reshape(shape)


@family("reshape expand repeat", "shape size repeats")
@rule(torch.Tensor.reshape)
def reshape(self, *shape):
    return self.reshape(*shape)


@family("view repeat", "size repeats", "reshape tile")
@rule(torch.Tensor.view)
def view(self, size: list | tuple):
    return self.reshape(size)


@rule("torch.Tensor.reshape:number", "torch.Tensor.view:number")
def reshape_number(self, *shape):
    """A view of a tensor without axes; of what has some, as ever."""
    if self.ndim or isinstance(shape[0], paddle.dtype):
        return self.view(shape[0]) if isinstance(shape[0], paddle.dtype) else self.reshape(shape)
    made = self.unsqueeze(0).squeeze(0)
    for _ in shape[0] if isinstance(shape[0], (list, tuple)) else shape:
        made = made.unsqueeze(0)
    return made


@rule(torch.Tensor.view)
def view(self, dtype: paddle.dtype):
    return self.view(dtype)


@rule(torch.Tensor.view)
def view(self, *size):
    return self.reshape(*size)


@family("reshape expand")
@rule(torch.Tensor.reshape)
def reshape(self, first, second, *more):
    return self.reshape([first, second, *more])  # as arguments of their own, Paddle refuses numpy's numbers


@family("view repeat", "reshape tile")
@rule(torch.Tensor.view)
def view(self, first, second, *more):
    return self.reshape([first, second, *more])


@rule(torch.reshape)
def reshape_function(input, shape):
    return paddle.reshape(input, shape)


@rule(torch.view_copy)
def view_copy(input, size):
    return paddle.reshape(input, size)


@rule(torch.view_copy)
def view_copy(input, dtype: paddle.dtype):
    return input.view(dtype).clone()


@rule(torch.view_copy)
def view_copy(input, *, dtype):
    return input.view(dtype).clone()


@rule(torch.Tensor.view_as, torch.Tensor.reshape_as)
def reshape_as(self, other):
    return self.reshape(other.shape)


@rule(torch.squeeze, torch.squeeze_copy, torch.Tensor.squeeze)
def squeeze(input, dim=None):
    if isinstance(dim, (list, tuple)) and len(dim) == 0:
        return input  # for Paddle no axes are all of them
    return paddle.squeeze(input, axis=dim)


@rule(torch.Tensor.squeeze)
def squeeze(self, dim: int, other: int, *others: int):
    return paddle.squeeze(self, axis=[dim, other, *others])


@rule(torch.flatten, torch.Tensor.flatten)
def flatten(input, start_dim=0, end_dim=-1):
    return paddle.flatten(input, start_axis=start_dim, stop_axis=end_dim)


@rule(torch.ravel, torch.Tensor.ravel)
def ravel(input):
    return paddle.flatten(input)


@family("expand tile", "size dims")
@rule(torch.Tensor.expand)
def expand(self, *size: int):
    return self.expand(size)


@rule(torch.expand_copy, torch.broadcast_to, torch.Tensor.broadcast_to)
def broadcast_to(input, size):
    return paddle.expand(input, size)


@rule(torch.Tensor.broadcast_to)
def broadcast_to(self, *size: int):
    return paddle.expand(self, size)


@rule(torch.Tensor.sum_to_size)
def sum_to_size(self, *size: int):
    return paddle.reduce_as(self, paddle.empty(size, dtype=self.dtype))


@rule(torch.Tensor.sum_to_size)
def sum_to_size(self, size: list | tuple):
    return paddle.reduce_as(self, paddle.empty(size, dtype=self.dtype))


@rule(torch.Tensor.repeat)
def repeat(self, *repeats: int):
    return self.tile(repeats)


@rule(torch.Tensor.tile)
def tile(self, *dims):
    return self.tile(dims[0] if len(dims) == 1 else dims)


@rule(torch.repeat_interleave, torch.Tensor.repeat_interleave)
def repeat_interleave(input, repeats, dim=None, *, output_size=None):
    return paddle.repeat_interleave(input, repeats, axis=dim)


@rule(torch.repeat_interleave, torch.Tensor.repeat_interleave)
def repeat_interleave(input, repeats: Rank[0], dim=None, *, output_size=None):
    return paddle.repeat_interleave(input, int(repeats), axis=dim)


@rule(torch.repeat_interleave, torch.Tensor.repeat_interleave)
def repeat_interleave(input: BoolTensor, repeats, dim=None, *, output_size=None):
    return paddle.repeat_interleave(input.astype("int32"), repeats, axis=dim).astype("bool")


@rule(torch.repeat_interleave, torch.Tensor.repeat_interleave)
def repeat_interleave(input: BoolTensor, repeats: Rank[0], dim=None, *, output_size=None):
    return paddle.repeat_interleave(input.astype("int32"), int(repeats), axis=dim).astype("bool")


@rule(torch.repeat_interleave)
def repeat_interleave(repeats, *, output_size=None):
    return paddle.repeat_interleave(paddle.arange(repeats.shape[0], dtype=repeats.dtype), repeats)


@family("1d 2d 3d")
@rule(torch.atleast_1d)
def atleast_1d(*tensors: paddle.Tensor):
    return paddle.atleast_1d(*tensors)


@family("1d 2d 3d")
@rule(torch.atleast_1d)
def atleast_1d(tensors: list | tuple):
    made = paddle.atleast_1d(*tensors)
    return (made,) if len(tensors) == 1 else tuple(made)


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
def meshgrid(*tensors: paddle.Tensor, indexing="ij"):
    if indexing == "ij":
        return paddle.meshgrid(*tensors)
    return paddle.meshgrid(*tensors, indexing=indexing)


@rule(torch.meshgrid)
def meshgrid(tensors: list | tuple, *, indexing="ij"):
    return paddle.meshgrid(tensors, indexing=indexing)


@family("real complex")
@rule(torch.view_as_real_copy)
def view_as_real_copy(input):
    return paddle.as_real(input)


@rule(torch.Tensor.dim, torch.Tensor.ndimension)
def dim(self):
    return self.ndim


@rule(torch.flatten, torch.Tensor.flatten)
def flatten(input: Rank[0], start_dim=0, end_dim=-1):
    return input.unsqueeze(0)  # in its memory, where Paddle's own gives a copy


@rule(torch.ravel, torch.Tensor.ravel)
def ravel(input: Rank[0]):
    return input.unsqueeze(0)


# Chosen by passes/second_gradients.py: Paddle's flatten has none.
@rule("torch.flatten:twice", "torch.Tensor.flatten:twice")
def flatten_by_shape(input, start_dim=0, end_dim=-1):
    shape = input.shape or [1]
    start, end = start_dim % len(shape), end_dim % len(shape)
    return input.reshape([*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]])
