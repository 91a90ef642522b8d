"""Indexing: gather, scatter, masks, and parts that are written."""

import oneflow
import torch

from rewriters.rule import Rank, family, rule


@rule(torch.gather)
def gather(input, dim, index, *, sparse_grad=False):
    return oneflow.gather(input, dim, index)


@rule(torch.Tensor.gather)
def gather_method(self, dim, index, *, sparse_grad=False):
    return self.gather(dim, index)


@rule(torch.index_select, torch.Tensor.index_select)
def index_select(input, dim, index: Rank[1]):
    return oneflow.index_select(input, dim, index)


@rule(torch.index_select, torch.Tensor.index_select)
def index_select(input, dim, index):
    # OneFlow takes the axis away where the index has none; torch keeps it
    return oneflow.index_select(input, dim, index.reshape(-1))


@rule(torch.Tensor.masked_fill)
def masked_fill(self, mask, value: int | float | bool):
    return self.masked_fill(mask, value)


@rule(torch.masked_fill)
def masked_fill(input, mask, value: int | float | bool):
    return oneflow.masked_fill(input, mask, value)


@rule(torch.masked_fill, torch.Tensor.masked_fill)
def masked_fill(input, mask, value):
    if isinstance(value, oneflow.Tensor):
        input, mask = oneflow.broadcast_tensors(input, mask)
        return oneflow.where(mask, value.to(input.dtype), input)
    return oneflow.masked_fill(input, mask, value)


@rule(torch.scatter)
def scatter(input, dim, index, src):
    return oneflow.scatter(input, dim, index, src)


@rule(torch.scatter)
def scatter(input, dim, index, *, value):
    return oneflow.scatter(input, dim, index, value)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input, dim, index, src, *, reduce):
    return scattered(input, dim, index, src, reduce)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input, dim, index, *, value, reduce):
    return scattered(input, dim, index, value, reduce)


@rule(torch.Tensor.scatter)
def scatter_method(self, dim, index, src):
    # without reduce OneFlow's method raises
    return oneflow.scatter(self, dim, index, src)


@rule(torch.Tensor.scatter)
def scatter_method(self, dim, index, *, value):
    return oneflow.scatter(self, dim, index, value)


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, src):
    self[...] = oneflow.scatter(self.clone(), dim, index, src)
    return self


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, *, value):
    self[...] = oneflow.scatter(self.clone(), dim, index, value)
    return self


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, src, *, reduce):
    self[...] = scattered(self.clone(), dim, index, src, reduce)
    return self


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, *, value, reduce):
    self[...] = scattered(self.clone(), dim, index, value, reduce)
    return self


def scattered(input, dim, index, src, reduce):
    """Added or multiplied at places; several at the same place after each other."""
    if not isinstance(src, oneflow.Tensor):
        src = oneflow.full_like(oneflow.zeros(index.shape, dtype=input.dtype, device=input.device), float(src))
    if reduce == "add":
        return oneflow.scatter_add(input, dim, index, src)
    if input.ndim == 0:
        return input * src
    for place in range(index.shape[dim]):
        at = oneflow.narrow(index, dim, place, 1)
        ones = oneflow.ones_like(input)
        values = oneflow.narrow(src, dim, place, 1)
        for axis in range(src.ndim):
            values = oneflow.narrow(values, axis, 0, at.shape[axis])
        input = input * oneflow.scatter(ones, dim, at, values)
    return input


@family("scatter index", "at rows", "src source")
@rule(torch.scatter_reduce, torch.Tensor.scatter_reduce)
def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    return reduced_at(input, dim, index, src, reduce, include_self)


@family("scatter index", "at rows", "src source")
@rule(torch.Tensor.scatter_reduce_)
def scatter_reduce_(self, dim, index, src, reduce, *, include_self=True):
    self[...] = reduced_at(self.clone(), dim, index, src, reduce, include_self)
    return self


def reduced_at(input, dim, index, src, reduce, include_self):
    """What is meant for each place, one of each row of the index at a time: sums, products, extremes, means."""
    if input.ndim == 0:
        found = reduced_at(input.reshape(1), 0, index.reshape(1), src.reshape(1), reduce, include_self)
        return found.reshape(())
    if 0 in index.shape:
        return input.clone()
    for axis in range(src.ndim):
        src = oneflow.narrow(src, axis, 0, index.shape[axis])
    ones = oneflow.ones_like(src)
    counts = oneflow.scatter_add(oneflow.zeros_like(input), dim, index, ones)
    reached = counts > 0
    if reduce in ("sum", "mean"):
        start = input if include_self else oneflow.where(reached, oneflow.zeros_like(input), input)
        total = oneflow.scatter_add(start, dim, index, src)
        if reduce == "sum":
            return total
        number = counts + 1 if include_self else oneflow.where(reached, counts, oneflow.ones_like(counts))
        return total / number if input.is_floating_point() else oneflow.floor(total / number).to(input.dtype)
    began = reached if include_self else oneflow.zeros_like(reached)
    found = input
    for place in range(index.shape[dim]):
        at = oneflow.narrow(index, dim, place, 1)
        here = oneflow.scatter(oneflow.zeros_like(input), dim, at, oneflow.narrow(ones, dim, place, 1)) > 0
        value = oneflow.scatter(oneflow.zeros_like(input), dim, at, oneflow.narrow(src, dim, place, 1))
        if reduce == "prod":
            joined = found * value
        else:
            joined = oneflow.maximum(found, value) if reduce == "amax" else oneflow.minimum(found, value)
        found = oneflow.where(here, oneflow.where(began, joined, value), found)
        began = began | here
    return found


def reduced_rows(input, dim, index, source, reduce, include_self):
    shape = [-1 if axis == dim % (input.ndim or 1) else 1 for axis in range(input.ndim)]
    places = index.reshape(shape).expand(source.shape) if input.ndim else index
    return reduced_at(input, dim, places, source, "sum" if reduce == "add" else reduce, include_self)


@rule(torch.index_add, torch.Tensor.index_add)
def index_add(input, dim, index, source, *, alpha=1):
    return added_rows(input, dim, index, source, alpha)


@rule(torch.Tensor.index_add_)
def index_add_(self, dim, index, source, *, alpha=1):
    self[...] = added_rows(self.clone(), dim, index, source, alpha)
    return self


def added_rows(input, dim, index, source, alpha):
    """OneFlow's own index_add aborts on numbers, and has no gradient."""
    if input.ndim == 0:
        return input + alpha * oneflow.sum(source)
    source = source.reshape(1) if source.ndim == 0 else source
    shape = [-1 if axis == dim % input.ndim else 1 for axis in range(input.ndim)]
    places = index.reshape(-1).to(oneflow.int64).reshape(shape).expand(source.shape)
    return oneflow.scatter_add(input, dim, places, alpha * source)


@family("copy fill", "source value", "copied filled")
@rule(torch.index_copy, torch.Tensor.index_copy)
def index_copy(input, dim, index, source):
    return copied_rows(input, dim, index, source)


@family("copy fill", "source value", "copied filled")
@rule(torch.Tensor.index_copy_)
def index_copy_(self, dim, index, source):
    self[...] = copied_rows(self.clone(), dim, index, source)
    return self


def copied_rows(input, dim, index, source):
    if input.ndim == 0:
        return source.reshape(()).clone()
    shape = [-1 if axis == dim % input.ndim else 1 for axis in range(input.ndim)]
    source = source.reshape(1) if source.ndim == 0 else source
    return oneflow.scatter(input, dim, index.reshape(-1).reshape(shape).expand(source.shape), source)


def filled_rows(input, dim, index, value):
    length = input.shape[dim] if input.ndim else 1
    numbers = oneflow.arange(length, device=input.device)
    chosen = oneflow.sum((numbers.unsqueeze(1) == index.reshape(1, -1)).to(oneflow.int64), 1) > 0
    shape = [-1 if axis == dim % input.ndim else 1 for axis in range(input.ndim)]
    chosen = chosen.reshape(shape).expand(input.shape)
    if isinstance(value, oneflow.Tensor):
        return oneflow.where(chosen, value.to(input.dtype).expand(input.shape), input)
    return oneflow.masked_fill(input, chosen, value)


@rule(torch.index_put, torch.Tensor.index_put)
def index_put(input, indices, values, accumulate=False):
    found = input.clone()
    put_into(found, indices, values, accumulate)
    return found


@rule(torch.Tensor.index_put_, torch.index_put_)
def index_put_(self, indices, values, accumulate=False):
    put_into(self, indices, values, accumulate)
    return self


def put_into(tensor, indices, values, accumulate):
    if not accumulate:
        tensor[tuple(indices)] = values
        return
    places = oneflow.arange(tensor.numel(), device=tensor.device).reshape(tensor.shape)[tuple(indices)]
    flat = oneflow.scatter_add(
        tensor.reshape(-1).clone(), 0, places.reshape(-1), values.expand(places.shape).reshape(-1)
    )
    tensor[...] = flat.reshape(tensor.shape)


@rule(torch.take, torch.Tensor.take)
def take(input, index):
    flat = input.reshape(-1)
    places = oneflow.where(index < 0, index + flat.shape[0], index)
    return oneflow.gather(flat, 0, places.reshape(-1)).reshape(index.shape)


@rule(torch.put, torch.Tensor.put)
def put(input, index, source, accumulate=False):
    return placed(input, index, source, accumulate)


@rule(torch.Tensor.put_)
def put_(self, index, source, accumulate=False):
    self[...] = placed(self.clone(), index, source, accumulate)
    return self


def placed(input, index, source, accumulate):
    flat = input.reshape(-1)
    if 0 in index.shape:
        return input
    places = oneflow.where(index < 0, index + flat.shape[0], index).reshape(-1)
    change = oneflow.scatter_add if accumulate else oneflow.scatter
    return change(flat, 0, places, source.reshape(-1)).reshape(input.shape)


@rule(torch.take_along_dim, torch.Tensor.take_along_dim)
def take_along_dim(input, indices, dim=None):
    length = input.numel() if dim is None else input.shape[dim]
    indices = oneflow.where(indices < 0, indices + length, indices)
    if dim is None:
        return oneflow.gather(input.reshape(-1), 0, indices.reshape(-1))
    axis = dim % input.ndim
    shape = oneflow.broadcast_shapes(
        tuple(1 if n == axis else size for n, size in enumerate(input.shape)),
        tuple(1 if n == axis else size for n, size in enumerate(indices.shape)),
    )
    rows = input.expand([input.shape[n] if n == axis else size for n, size in enumerate(shape)])
    places = indices.expand([indices.shape[n] if n == axis else size for n, size in enumerate(shape)])
    return oneflow.gather(rows, axis, places)


@rule(torch.masked_scatter, torch.Tensor.masked_scatter)
def masked_scatter(input, mask, source):
    input, mask = oneflow.broadcast_tensors(input, mask)
    return scattered_where(input, mask, source)


@rule(torch.Tensor.masked_scatter_)
def masked_scatter_(self, mask, source):
    self[...] = scattered_where(self.clone(), mask.expand(self.shape), source)
    return self


def scattered_where(input, mask, source):
    """The source's elements, one after the other, where the mask is True."""
    chosen = mask.reshape(-1)
    order = oneflow.clamp(oneflow.cumsum(chosen.to(oneflow.int64), 0) - 1, min=0)
    values = oneflow.gather(source.reshape(-1), 0, order).reshape(input.shape)
    return oneflow.where(mask, values, input)


@rule(torch.select_scatter, torch.Tensor.select_scatter)
def select_scatter(input, src, dim, index):
    found = input.clone()
    found[(slice(None),) * (dim % input.ndim) + (index,)] = src
    return found


@rule(torch.slice_scatter, torch.Tensor.slice_scatter)
def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    found = input.clone()
    found[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)] = src
    return found


@rule(torch.index_select, torch.Tensor.index_select)
def index_select(input: Rank[0], dim, index):
    return input.clone()


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: Rank[0], dim, index, src: Rank[0]):
    return oneflow.scatter(input.reshape(1), 0, index.reshape(1), src.reshape(1)).reshape(())


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: Rank[0], dim, index, value: int | float):
    return oneflow.scatter(input.reshape(1), 0, index.reshape(1), value).reshape(())
