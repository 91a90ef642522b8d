"""Shapes: views, joins, splits, repeats."""

import itertools

import oneflow
import torch

from rewriters.rule import Rank, becomes, differs, family, rule

becomes(torch.unsqueeze_copy, oneflow.unsqueeze)
becomes(torch.numel, oneflow.Tensor.numel)


@family("view reshape expand repeat", "shape shape size repeats")
@rule(torch.Tensor.view)
def view(self, *shape: int):
    return self.view(*shape)


@family("view reshape expand", "size shape size")
@rule(torch.Tensor.view)
def view(self, size: list | tuple):
    return self.view(size)


@rule(torch.Tensor.view)
def view(self, dtype: oneflow.dtype):
    raise NotImplementedError("OneFlow 0.9 has no view of another dtype; use x.to(dtype), or numpy's x.numpy().view")


@family("view reshape expand repeat", "shape shape size repeats")
@rule(torch.Tensor.view)
def view(self, *shape):
    return self.view(*shape)


@rule(torch.view_copy)
def view_copy(input, size: list | tuple):
    return oneflow.reshape(input, size)


@rule(torch.squeeze, torch.Tensor.squeeze, torch.squeeze_copy)
def squeeze(input):
    return input.squeeze()


@rule(torch.squeeze, torch.Tensor.squeeze, torch.squeeze_copy)
def squeeze(input, dim: int):
    return input.squeeze(dim)


@rule(torch.squeeze, torch.Tensor.squeeze, torch.squeeze_copy)
def squeeze(input, dim):
    if input.ndim == 0:
        return input
    axes = [axis % input.ndim for axis in (dim if isinstance(dim, (list, tuple)) else [dim])]
    return input.reshape([size for axis, size in enumerate(input.shape) if size != 1 or axis not in axes])


@rule(torch.flatten, torch.Tensor.flatten)
def flatten(input, start_dim=0, end_dim=-1):
    if start_dim == 0 and end_dim == -1:
        return input.reshape(-1)
    if end_dim == -1:
        return oneflow.flatten(input, start_dim)
    return oneflow.flatten(input, start_dim, end_dim)


@rule(torch.unflatten, torch.Tensor.unflatten)
def unflatten(input, dim, sizes):
    axis = dim % input.ndim
    return input.reshape([*input.shape[:axis], *sizes, *input.shape[axis + 1 :]])


@rule(torch.ravel, torch.Tensor.ravel)
def ravel(input):
    # a copy of what is strided, as in torch
    return input.contiguous().reshape(-1)


@rule(torch.Tensor.expand_as)
def expand_as(self, other: Rank[0]):
    return self.expand(other.shape)


@rule(torch.Tensor.expand_as)
def expand_as(self, other):
    return self.expand_as(other)


@rule(torch.expand_copy, torch.broadcast_to, torch.Tensor.broadcast_to)
def broadcast_to(input, size, *, implicit=False):
    return input.expand(size)


@rule(torch.Tensor.broadcast_to)
def broadcast_to(input, *size):
    return input.expand(*size)


@rule(torch.Tensor.sum_to_size)
def sum_to_size(self, *size: int):
    return summed(self, size)


@rule(torch.Tensor.sum_to_size)
def sum_to_size(self, size: list | tuple):
    return summed(self, size)


def summed(tensor, size):
    """The sum over the axes along which a tensor of this size would be broadcast."""
    extra = tensor.ndim - len(size)
    axes = [*range(extra), *(extra + n for n, length in enumerate(size) if length == 1 != tensor.shape[extra + n])]
    return oneflow.sum(tensor, axes).reshape(size) if axes else tensor


@rule("torch.Tensor.repeat:once", "torch.Tensor.repeat:apart", "torch.Tensor.repeat:lent")
def repeat_once(self, *repeats):
    return self.repeat(*repeats).clone()  # OneFlow's gives the tensor itself, or a view


@rule(torch.Tensor.repeat)
def repeat(self, repeats: list | tuple):
    return repeated(self, repeats)


@rule(torch.tile)
def tile(input, dims):
    return repeated(input, [1] * (input.ndim - len(dims)) + list(dims))


@rule(torch.Tensor.tile)
def tile(self, *dims: int):
    return repeated(self, [1] * (self.ndim - len(dims)) + list(dims))


@rule(torch.Tensor.tile)
def tile(self, dims: list | tuple):
    return repeated(self, [1] * (self.ndim - len(dims)) + list(dims))


def repeated(tensor, repeats):
    """As torch's repeat does; none at all gives an empty tensor."""
    if 0 in repeats or 0 in tensor.shape:
        shape = [1] * (len(repeats) - tensor.ndim) + list(tensor.shape)
        return tensor.new_zeros([size * times for size, times in zip(shape, repeats)])  # noqa: B905
    # OneFlow's own gives the tensor itself where nothing is repeated
    repeated = tensor.repeat(repeats) if len(repeats) else tensor
    return repeated if any(times != 1 for times in repeats) else repeated.clone()


@rule(torch.repeat_interleave, torch.Tensor.repeat_interleave)
def repeat_interleave(input, repeats: int, dim: int, *, output_size=None):
    return oneflow.repeat_interleave(input, repeats, dim)


@rule(torch.repeat_interleave, torch.Tensor.repeat_interleave)
def repeat_interleave(input, repeats, dim=None, *, output_size=None):
    if dim is None:
        input, dim = input.reshape(-1), 0
    if input.ndim == 0:
        input = input.reshape(1)
    if isinstance(repeats, oneflow.Tensor) and repeats.numel() == 1:
        repeats = int(repeats)
    if isinstance(repeats, int):
        repeats = [repeats] * input.shape[dim]
    times = repeats.tolist() if isinstance(repeats, oneflow.Tensor) else repeats
    where = [index for index, count in enumerate(times) for _ in range(count)]
    return oneflow.index_select(input, dim, oneflow.tensor(where, dtype=oneflow.int64, device=input.device))


@rule(torch.repeat_interleave)
def repeat_interleave(repeats, *, output_size=None):
    where = [index for index, count in enumerate(repeats.tolist()) for _ in range(count)]
    return oneflow.tensor(where, dtype=repeats.dtype, device=repeats.device)


@rule(torch.broadcast_shapes)
def broadcast_shapes(*shapes):
    return oneflow.broadcast_shapes(*[(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes])


@rule(torch.cartesian_prod)
def cartesian_prod(*tensors):
    if len(tensors) == 1:
        return tensors[0]
    return oneflow.stack([grid.reshape(-1) for grid in oneflow.meshgrid(*tensors, indexing="ij")], 1)


@rule(torch.combinations)
def combinations(input, r=2, with_replacement=False):
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = list(choose(range(input.shape[0]), r))
    if not rows or r == 0:
        return input.new_zeros((0, r)) if r else input.new_zeros((0,))
    columns = oneflow.tensor(rows, dtype=oneflow.int64, device=input.device)
    return oneflow.index_select(input, 0, columns.reshape(-1)).reshape(len(rows), r)


@rule(torch.Tensor.ndimension)
def ndimension(self):
    return self.dim()


@rule(torch.Tensor.itemsize)
def itemsize(self):
    return self.element_size()


@rule(torch.Tensor.nbytes)
def nbytes(self):
    return self.numel() * self.element_size()


@rule(torch.pixel_shuffle)
def pixel_shuffle(input, upscale_factor):
    *batch, channels, height, width = input.shape
    depth = channels // upscale_factor**2
    blocks = input.reshape(-1, depth, upscale_factor, upscale_factor, height, width)
    mixed = blocks.permute(0, 1, 4, 2, 5, 3)
    return mixed.reshape(*batch, depth, height * upscale_factor, width * upscale_factor)


@rule(torch.pixel_unshuffle)
def pixel_unshuffle(input, downscale_factor):
    *batch, channels, height, width = input.shape
    height, width = height // downscale_factor, width // downscale_factor
    blocks = input.reshape(-1, channels, height, downscale_factor, width, downscale_factor)
    return blocks.permute(0, 1, 3, 5, 2, 4).reshape(*batch, channels * downscale_factor**2, height, width)


@rule(torch.channel_shuffle, torch.native_channel_shuffle)
def channel_shuffle(input, groups):
    batch, channels, *rest = input.shape
    mixed = input.reshape(batch, groups, channels // groups, *rest).transpose(1, 2)
    return mixed.reshape(batch, channels, *rest)


@rule(torch.unravel_index)
def unravel_index(indices, shape):
    found, indices = [], indices.long()
    for size in reversed([shape] if isinstance(shape, int) else shape):
        found.append(indices % size)
        indices = ((indices - found[-1]) / size).to(indices.dtype)
    return tuple(reversed(found))


@rule("torch.as_strided:computed", "torch.Tensor.as_strided:computed")
def as_strided_of_computed(input, size, stride, storage_offset=None):
    differs("what is computed lies transposed in torch, not in OneFlow: call .contiguous() first, in torch too")
    return as_strided(input, size, stride, storage_offset)


@rule(torch.as_strided, torch.Tensor.as_strided)
def as_strided(input, size, stride, storage_offset=None):
    # OneFlow's begins where the memory does, torch's where the tensor does
    if storage_offset is None:
        return oneflow.as_strided(input, size, stride, input.storage_offset())
    return oneflow.as_strided(input, size, stride, storage_offset)


@rule(torch.Tensor.unfold)
def unfold(self, dimension, size, step):
    if dimension >= 0:
        return self.unfold(dimension, size, step)
    return self.unfold(dimension + self.ndim, size, step) if self.ndim else self.reshape(1)


@rule(torch.squeeze, torch.Tensor.squeeze)
def squeeze(input: Rank[0], dim=None):
    return input.reshape(())


@rule(torch.squeeze_copy)
def squeeze_copy(input: Rank[0], dim=None):
    return input.clone()
