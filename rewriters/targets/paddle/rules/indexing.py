"""Selecting and writing elements: by index, by mask, along an axis."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.where)
def where(condition):
    return paddle.where(condition)


@rule(torch.where)
def where(condition, input, other):  # noqa: F811
    return paddle.where(condition, input, other)


@rule(torch.Tensor.where)
def where(self, condition, other):  # noqa: F811
    return paddle.where(condition, self, other)


@rule(torch.gather, torch.Tensor.gather)
def gather(input, dim, index, *, sparse_grad=False):
    # torch's index may be shorter than the input, and is not broadcast
    return paddle.take_along_axis(input, index, dim, broadcast=False)


@rule(torch.take_along_dim, torch.Tensor.take_along_dim)
def take_along_dim(input, indices, dim=None):
    if dim is None:
        return paddle.take_along_axis(input.flatten(), indices.flatten(), 0)
    return paddle.take_along_axis(input, indices, dim)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input, dim, index, src, *, reduce=None):
    if reduce is None:
        return paddle.put_along_axis(input, index, src, dim, broadcast=False)
    return paddle.put_along_axis(input, index, src, dim, reduce=reduce, broadcast=False)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input, dim, index, *, value, reduce=None):  # noqa: F811
    if reduce is None:
        return paddle.put_along_axis(input, index, value, dim, broadcast=False)
    return paddle.put_along_axis(input, index, value, dim, reduce=reduce, broadcast=False)


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, src, *, reduce=None):
    if reduce is None:
        return self.put_along_axis_(index, src, dim, broadcast=False)
    return self.put_along_axis_(index, src, dim, reduce=reduce, broadcast=False)


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, *, value, reduce=None):  # noqa: F811
    if reduce is None:
        return self.put_along_axis_(index, value, dim, broadcast=False)
    return self.put_along_axis_(index, value, dim, reduce=reduce, broadcast=False)


@rule(torch.scatter_add, torch.Tensor.scatter_add)
def scatter_add(input, dim, index, src):
    return paddle.put_along_axis(input, index, src, dim, reduce="add", broadcast=False)


@rule(torch.Tensor.scatter_add_)
def scatter_add_(self, dim, index, src):
    return self.put_along_axis_(index, src, dim, reduce="add", broadcast=False)


@rule(torch.scatter_reduce, torch.Tensor.scatter_reduce)
def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    return paddle.scatter_reduce(input, dim, index, src, reduce, include_self=include_self)


@rule(torch.Tensor.scatter_reduce_)
def scatter_reduce_(self, dim, index, src, reduce, *, include_self=True):
    return paddle.assign(paddle.scatter_reduce(self.clone(), dim, index, src, reduce, include_self=include_self), self)


@rule(torch.index_select, torch.Tensor.index_select)
def index_select(input, dim, index):
    return paddle.index_select(input, index, axis=dim)


@rule(torch.index_add, torch.Tensor.index_add)
def index_add(input, dim, index, source, *, alpha=1):
    return paddle.index_add(input, index, dim, source if alpha == 1 else source * alpha)


@rule(torch.Tensor.index_add_)
def index_add_(self, dim, index, source, *, alpha=1):
    # Paddle's own leaves what a strided view is a part of as it was
    return paddle.assign(paddle.index_add(self, index, dim, source if alpha == 1 else source * alpha), self)


@rule(torch.index_fill, torch.Tensor.index_fill)
def index_fill(input, dim, index, value: paddle.Tensor):
    # the gradient of paddle.index_fill for its value is wrong
    return paddle.where(paddle.index_fill(paddle.zeros_like(input), index, dim, 1).astype("bool"), value, input)


@rule(torch.index_fill, torch.Tensor.index_fill)
def index_fill(input, dim, index, value):  # noqa: F811
    return paddle.index_fill(input, index, dim, value)


@rule(torch.Tensor.index_fill_)
def index_fill_(self, dim, index, value: paddle.Tensor):
    return paddle.assign(index_fill(self.clone(), dim, index, value), self)


@rule(torch.Tensor.index_fill_)
def index_fill_(self, dim, index, value):  # noqa: F811
    return self.index_fill_(index, dim, value)


@rule(torch.index_copy, torch.Tensor.index_copy)
def index_copy(input, dim, index, source):
    return paddle.moveaxis(
        paddle.scatter(paddle.moveaxis(input, dim, 0), index, paddle.moveaxis(source, dim, 0)), 0, dim
    )


@rule(torch.Tensor.index_copy_)
def index_copy_(self, dim, index, source):
    return paddle.assign(index_copy(self, dim, index, source), self)


@rule(torch.index_reduce, torch.Tensor.index_reduce)
def index_reduce(input, dim, index, source, reduce, *, include_self=True):
    shape = [1] * input.ndim
    shape[dim] = -1
    places = paddle.expand(index.reshape(shape), source.shape)
    return paddle.scatter_reduce(input, dim, places, source, reduce, include_self=include_self)


@rule(torch.Tensor.index_reduce_)
def index_reduce_(self, dim, index, source, reduce, *, include_self=True):
    return paddle.assign(index_reduce(self.clone(), dim, index, source, reduce, include_self=include_self), self)


@rule(torch.index_put, torch.Tensor.index_put)
def index_put(input, indices, values, accumulate=False):
    return paddle.index_put(input, indices, values, accumulate=accumulate)


@rule(torch.index_put_, torch.Tensor.index_put_)
def index_put_(input, indices, values, accumulate=False):
    return input.index_put_(indices, values, accumulate=accumulate)


@rule(torch.masked_fill, torch.Tensor.masked_fill)
def masked_fill(input, mask, value: paddle.Tensor):
    # the gradient of paddle.masked_fill for its value is wrong
    return paddle.where(mask, value, input)


@rule(torch.masked_fill, torch.Tensor.masked_fill)
def masked_fill(input, mask, value):  # noqa: F811
    return paddle.masked_fill(input, mask, value)


@rule(torch.Tensor.masked_fill_)
def masked_fill_(self, mask, value):
    return self.masked_fill_(mask, value)


@rule(torch.masked_select, torch.Tensor.masked_select)
def masked_select(input, mask):
    return paddle.masked_select(input, mask)


@rule(torch.masked_scatter, torch.Tensor.masked_scatter)
def masked_scatter(input, mask, source):
    return paddle.masked_scatter(input, mask, source)


@rule(torch.Tensor.masked_scatter_)
def masked_scatter_(self, mask, source):
    return self.masked_scatter_(mask, source)


@rule(torch.take, torch.Tensor.take)
def take(input, index):
    return paddle.take(input, index)


@rule(torch.put, torch.Tensor.put)
def put(input, index, source, accumulate=False):
    flat = paddle.index_put(input.flatten(), (index.flatten(),), source.flatten(), accumulate=accumulate)
    return flat.reshape(input.shape)


@rule(torch.Tensor.put_)
def put_(self, index, source, accumulate=False):
    return paddle.assign(put(self.clone(), index, source, accumulate), self)


@rule(torch.select, torch.select_copy, torch.Tensor.select)
def select(input, dim, index):
    return paddle.unbind(input, axis=dim)[index]


@rule(torch.narrow, torch.narrow_copy, torch.Tensor.narrow, torch.Tensor.narrow_copy)
def narrow(input, dim, start, length):
    # the gradient of paddle.narrow is wrong for views
    if start < 0:
        start = input.shape[dim] + start
    return paddle.slice(input, [dim], [start], [start + length])


@rule(torch.slice_copy)
def slice_copy(input, dim=0, start=None, end=None, step=1):
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]


@rule(torch.select_scatter, torch.Tensor.select_scatter)
def select_scatter(input, src, dim, index):
    return paddle.select_scatter(input, src, dim, index)


@rule(torch.slice_scatter, torch.Tensor.slice_scatter)
def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    end = input.shape[dim] if end is None else end
    return paddle.slice_scatter(input, src, axes=[dim], starts=[start or 0], ends=[end], strides=[step])


@rule(torch.diagonal_scatter, torch.Tensor.diagonal_scatter)
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    # paddle.diagonal_scatter gives src no gradient
    places = paddle.arange(input.size).reshape(input.shape).diagonal(offset, dim1, dim2)
    return paddle.index_put(input.flatten(), (places.flatten(),), src.flatten()).reshape(input.shape)


@rule(torch.nonzero, torch.Tensor.nonzero)
def nonzero(input, *, as_tuple=False):
    return paddle.nonzero(input, as_tuple=as_tuple)


@rule(torch.nonzero_static, torch.Tensor.nonzero_static)
def nonzero_static(input, *, size, fill_value=-1):
    found = paddle.nonzero(input)[:size]
    rest = paddle.full([size - found.shape[0], input.ndim], fill_value, dtype="int64")
    return paddle.concat([found, rest])


@rule(torch.argwhere, torch.Tensor.argwhere)
def argwhere(input):
    return paddle.nonzero(input)


@rule(torch.unravel_index)
def unravel_index(indices, shape):
    found = []
    for length in reversed([shape] if isinstance(shape, int) else shape):
        found.insert(0, indices % length)
        indices = (indices // length).reshape(indices.shape)  # of a number Paddle gives one of one axis
    return tuple(found)
