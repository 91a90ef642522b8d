"""Shapes: views of torch's, which are arrays of their own in JAX."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import Rank, becomes, family, rule

becomes(torch.diag, torch.Tensor.diag, jnp.diag, diagonal="/")
becomes(torch.diagflat, torch.Tensor.diagflat, jnp.diagflat, offset="/")
becomes(torch.reshape, jnp.reshape)
becomes(torch.permute, torch.permute_copy, jnp.transpose)
becomes(torch.movedim, torch.Tensor.movedim, torch.moveaxis, torch.Tensor.moveaxis, jnp.moveaxis)
becomes(torch.unsqueeze, torch.Tensor.unsqueeze, torch.unsqueeze_copy, jnp.expand_dims)
becomes(torch.tile, jnp.tile)
becomes(torch.flip, jnp.flip)


@rule("torch.Tensor.__reversed__")
def turned(self):
    return jnp.flip(self, 0)


@rule(torch.Tensor.view)
def view(self, *shape: int):
    return self.reshape(*shape)


@rule(torch.Tensor.view)
def view(self, size: list | tuple):
    return self.reshape(size)


@rule(torch.Tensor.view)
def view(self, dtype: jnp.dtype):
    return viewed(self, dtype)


@rule(torch.Tensor.view)
def view(self, *shape):
    # sizes, one of them for all, or a dtype
    if len(shape) == 1 and not isinstance(shape[0], (int, list, tuple)):
        return viewed(self, shape[0])
    return self.reshape(*shape)


def viewed(x, dtype):
    """The same bits as another dtype; the last axis grows or shrinks."""
    before, after = x.dtype.itemsize, jnp.dtype(dtype).itemsize
    if after > before:
        x = x.reshape(*x.shape[:-1], -1, after // before)
    found = jax.lax.bitcast_convert_type(x, dtype)
    return found.reshape(*found.shape[:-2], -1) if after < before else found


@rule(torch.Tensor.reshape)
def reshape(self, *shape):
    return self.reshape(*shape)


@rule(torch.view_copy)
def view_copy(input, size: list | tuple):
    return jnp.reshape(input, size)


@rule(torch.Tensor.view_as, torch.Tensor.reshape_as)
def view_as(self, other):
    return self.reshape(other.shape)


@rule(torch.Tensor.permute)
def permute(self, *dims):
    return self.transpose(*dims)


@rule(torch.transpose, torch.Tensor.transpose, torch.transpose_copy, torch.swapaxes, torch.swapdims)
def transpose(input, dim0, dim1):
    return jnp.swapaxes(input, dim0, dim1)


@rule(torch.Tensor.swapaxes, torch.Tensor.swapdims)
def swapaxes(self, dim0, dim1):
    return jnp.swapaxes(self, dim0, dim1)


@rule(torch.transpose, torch.Tensor.transpose, torch.transpose_copy, torch.swapaxes, torch.swapdims)
def transpose(input: Rank[0], dim0, dim1):
    return input


@rule(torch.t, torch.t_copy, torch.Tensor.t)
def t(input):
    return input.T


@rule(torch.Tensor.T)
def T(self):
    return self.T


@rule(torch.adjoint, torch.Tensor.adjoint, torch.Tensor.mH, torch.Tensor.H)
def mH(self):
    return jnp.conj(self.mT)


@rule(torch.Tensor.mT)
def mT(self):
    return self.mT


@rule(torch.squeeze, torch.Tensor.squeeze, torch.squeeze_copy)
def squeeze(input):
    return jnp.squeeze(input)


@rule(torch.squeeze, torch.Tensor.squeeze, torch.squeeze_copy)
def squeeze(input, dim):
    return squeezed(input, dim)


def squeezed(x, dim):
    """Without those of these axes that have one element; JAX refuses the others."""
    dims = [dim] if isinstance(dim, int) else dim
    if any(not -max(x.ndim, 1) <= axis < max(x.ndim, 1) for axis in dims):
        raise IndexError(f"Dimension out of range: {dim} of a tensor of {x.ndim} axes")
    axes = {axis % x.ndim for axis in dims} if x.ndim else ()
    return jnp.squeeze(x, tuple(axis for axis in axes if x.shape[axis] == 1))


@rule(torch.flatten, torch.Tensor.flatten)
def flatten(input):
    return input.reshape(-1)


@rule(torch.flatten, torch.Tensor.flatten)
def flatten(input, start_dim, end_dim=-1):
    # JAX cannot tell a size of -1 where there is no element
    if start_dim == 1 and end_dim == -1:
        return input.reshape(input.shape[0], -1)
    return flattened(input, start_dim, end_dim)


@rule(torch.flatten, torch.Tensor.flatten)
def flatten(input, *, end_dim):
    return flattened(input, 0, end_dim)


def flattened(x, start, end):
    if x.ndim == 0:
        return x.reshape(1)
    start, end = start % x.ndim, end % x.ndim
    count = 1
    for size in x.shape[start : end + 1]:
        count *= size
    return x.reshape(*x.shape[:start], count, *x.shape[end + 1 :])


@rule(torch.ravel, torch.Tensor.ravel)
def ravel(input):
    return input.reshape(-1)


@rule(torch.unflatten, torch.Tensor.unflatten)
def unflatten(input, dim, sizes):
    axis = dim % input.ndim
    return input.reshape(*input.shape[:axis], *sizes, *input.shape[axis + 1 :])


@rule(torch.Tensor.expand)
def expand(self, *size: int):
    return expanded(self, size)


@rule(torch.Tensor.expand)
def expand(self, size: list | tuple):
    return expanded(self, size)


@rule(torch.Tensor.expand)
def expand(self, *size):
    return expanded(self, size[0] if len(size) == 1 and not isinstance(size[0], int) else size)


@rule(torch.expand_copy)
def expand_copy(input, size, *, implicit=False):
    return expanded(input, size)


def expanded(x, sizes):
    """-1 is the size that there is."""
    before = len(sizes) - x.ndim
    kept = [x.shape[n - before] if size == -1 else size for n, size in enumerate(sizes)]
    return jnp.broadcast_to(x, tuple(kept))


@rule(torch.Tensor.expand_as)
def expand_as(self, other):
    return jnp.broadcast_to(self, other.shape)


@rule(torch.broadcast_to, torch.Tensor.broadcast_to)
def broadcast_to(input, size):
    return expanded(input, size)


@rule(torch.broadcast_tensors)
def broadcast_tensors(*tensors):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    return tuple(jnp.broadcast_arrays(*tensors))


@rule(torch.broadcast_shapes)
def broadcast_shapes(*shapes):
    return jnp.broadcast_shapes(*[(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes])


@rule(torch.Tensor.repeat)
def repeat(self, *repeats: int):
    return jnp.tile(self, (*repeats,))


@rule(torch.Tensor.repeat)
def repeat(self, repeats: list | tuple):
    return jnp.tile(self, repeats)


@rule(torch.Tensor.repeat)
def repeat(self, *repeats):
    return jnp.tile(self, repeats[0] if len(repeats) == 1 else repeats)


@rule(torch.Tensor.tile)
def tile(self, dims: list | tuple):
    return jnp.tile(self, dims)


@rule(torch.Tensor.tile)
def tile(self, *dims):
    return jnp.tile(self, dims[0] if len(dims) == 1 and not isinstance(dims[0], int) else dims)


@rule(torch.repeat_interleave, torch.Tensor.repeat_interleave)
def repeat_interleave(input, repeats, dim=None, *, output_size=None):
    return jnp.repeat(input, repeats, axis=dim, total_repeat_length=output_size)


@rule(torch.repeat_interleave, torch.Tensor.repeat_interleave)
def repeat_interleave(repeats, *, output_size=None):
    return jnp.repeat(jnp.arange(repeats.shape[0]), repeats, total_repeat_length=output_size)


@rule(torch.Tensor.flip)
def flip(self, dims: list | tuple | int):
    return jnp.flip(self, dims)


@rule(torch.Tensor.flip)
def flip(self, *dims):
    return jnp.flip(self, dims[0] if len(dims) == 1 else dims)


@family("fliplr flipud")
@rule(torch.fliplr, torch.Tensor.fliplr)
def fliplr(input):
    return jnp.fliplr(input)


@rule(torch.roll, torch.Tensor.roll)
def roll(input, shifts, dims=None):
    return jnp.roll(input, shifts, dims if dims is None or isinstance(dims, int) else tuple(dims) or None)


@rule(torch.rot90, torch.Tensor.rot90)
def rot90(input, k=1, dims=(0, 1)):
    return jnp.rot90(input, k, dims)


@family("1d 2d 3d")
@rule(torch.atleast_1d)
def atleast_1d(*tensors):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    found = tuple(jnp.atleast_1d(tensor) for tensor in tensors)
    return found[0] if len(found) == 1 else found


@rule(torch.diagonal, torch.Tensor.diagonal, torch.diagonal_copy)
def diagonal(input, offset=0, dim1=0, dim2=1):
    return jnp.diagonal(input, offset, dim1, dim2)


@rule(torch.diag_embed, torch.Tensor.diag_embed)
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    size = input.shape[-1] + (offset if offset > 0 else -offset)
    rows = jnp.arange(input.shape[-1]) + (0 if offset > 0 else -offset)
    found = jnp.zeros((*input.shape[:-1], size, size), input.dtype)
    return jnp.moveaxis(found.at[..., rows, rows + offset].set(input), (-2, -1), (dim1, dim2))


@family("tril triu")
@rule(torch.tril, torch.Tensor.tril)
def tril(input, diagonal=0):
    return jnp.tril(input, diagonal)


@rule(torch.Tensor.unfold, torch.unfold_copy)
def unfold(self, dimension, size, step):
    if self.ndim == 0:
        return self.reshape(1)
    starts = jnp.arange(0, self.shape[dimension] - size + 1, step)
    found = jnp.take(self, starts[:, None] + jnp.arange(size), axis=dimension)
    return jnp.moveaxis(found, dimension % self.ndim + 1, -1)


@rule(torch.Tensor.contiguous)
def contiguous(self, memory_format=None):
    return self


@rule(torch.clone, torch.Tensor.clone, "torch.Tensor.clone:gradient")
def clone(input, *, memory_format=None):
    return input.copy()


@rule(torch.alias_copy)
def alias_copy(input):
    return input


@rule(torch.Tensor.sum_to_size)
def sum_to_size(self, size: list | tuple):
    return summed_to(self, size)


@rule(torch.Tensor.sum_to_size)
def sum_to_size(self, *size):
    return summed_to(self, size[0] if len(size) == 1 and not isinstance(size[0], int) else size)


def summed_to(x, sizes):
    before = x.ndim - len(sizes)
    ones = [n + before for n, length in enumerate(sizes) if length == 1 and x.shape[n + before] != 1]
    return jnp.sum(x, axis=(*range(before), *ones)).reshape(sizes)


@rule(torch.as_strided_copy, torch.as_strided, torch.Tensor.as_strided)
def as_strided(input, size, stride, storage_offset=0):
    places = jnp.asarray(storage_offset or 0)
    for length, step in zip(size, stride, strict=True):
        places = places[..., None] + jnp.arange(length) * step
    return input.reshape(-1)[places]
