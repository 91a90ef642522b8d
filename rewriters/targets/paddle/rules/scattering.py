"""Selecting and writing elements: by index, by mask, along an axis."""

import paddle
import torch

from rewriters.rule import BoolTensor, ComplexTensor, FloatTensor, IntTensor, Rank, becomes, family, rule

becomes(torch.index_put_, torch.Tensor.index_put_, paddle.Tensor.index_put_)
becomes(torch.take, torch.Tensor.take, paddle.take)
becomes(torch.select_scatter, torch.Tensor.select_scatter, paddle.select_scatter)


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
def scatter(input, dim, index, *, value, reduce=None):
    if reduce is None:
        return paddle.put_along_axis(input, index, value, dim, broadcast=False)
    return paddle.put_along_axis(input, index, value, dim, reduce=reduce, broadcast=False)


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, src, *, reduce=None):
    if reduce is None:
        return self.put_along_axis_(index, src, dim, broadcast=False)
    return self.put_along_axis_(index, src, dim, reduce=reduce, broadcast=False)


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, *, value, reduce=None):
    if reduce is None:
        return self.put_along_axis_(index, value, dim, broadcast=False)
    return self.put_along_axis_(index, value, dim, reduce=reduce, broadcast=False)


@rule(torch.scatter_add, torch.Tensor.scatter_add)
def scatter_add(input, dim, index, src):
    return paddle.put_along_axis(input, index, src, dim, reduce="add", broadcast=False)


@rule(torch.Tensor.scatter_add_)
def scatter_add_(self, dim, index, src):
    return self.put_along_axis_(index, src, dim, reduce="add", broadcast=False)


# Chosen by passes/scattered.py, where it changes again: gradients need what was there, and what came of it.
@rule("torch.Tensor.scatter_add_:again")
def scatter_add_once_more(self, dim, index, src):
    return paddle.assign(paddle.put_along_axis(self.clone(), index, src, dim, reduce="add", broadcast=False), self)


@rule("torch.Tensor.scatter_:again")
def scatter_once_more(self, dim, index, src, *, reduce="assign"):
    return paddle.assign(paddle.put_along_axis(self.clone(), index, src, dim, reduce=reduce, broadcast=False), self)


@rule("torch.Tensor.scatter_:again")
def scatter_once_more(self, dim, index, *, value, reduce="assign"):
    return paddle.assign(paddle.put_along_axis(self.clone(), index, value, dim, reduce=reduce, broadcast=False), self)


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
def index_add(input: BoolTensor | IntTensor | FloatTensor, dim, index, source, *, alpha=1):
    if input.ndim == 0:
        return put_number(input, index, source * alpha, "add")
    return paddle.index_add(input, index, dim, source if alpha == 1 else source * alpha)


@rule(torch.index_add, torch.Tensor.index_add)
def index_add(input: ComplexTensor, dim, index, source, *, alpha=1):
    if input.ndim == 0:
        return input + (source * alpha).sum()
    # Paddle has no kernel for complex numbers on the CPU: both parts, in an axis of their own
    axis = dim if dim >= 0 else dim - 1
    return paddle.as_complex(
        paddle.index_add(paddle.as_real(input), index, axis, paddle.as_real(source if alpha == 1 else source * alpha))
    )


@rule(torch.Tensor.index_add_)
def index_add_(self: ComplexTensor, dim, index, source, *, alpha=1):
    if self.ndim == 0:
        return paddle.assign(self + (source * alpha).sum(), self)
    axis = dim if dim >= 0 else dim - 1
    parts = paddle.as_real(source if alpha == 1 else source * alpha)
    return paddle.assign(paddle.as_complex(paddle.index_add(paddle.as_real(self), index, axis, parts)), self)


@rule(torch.Tensor.index_add_)
def index_add_(self: BoolTensor | IntTensor | FloatTensor, dim, index, source, *, alpha=1):
    if self.ndim == 0:
        return paddle.assign(put_number(self.clone(), index, source * alpha, "add"), self)
    # Paddle's own leaves what a strided view is a part of as it was
    return paddle.assign(paddle.index_add(self, index, dim, source if alpha == 1 else source * alpha), self)


@rule(torch.index_fill, torch.Tensor.index_fill)
def index_fill(input, dim, index, value: paddle.Tensor):
    # the gradient of paddle.index_fill for its value is wrong
    places = index.reshape([-1])  # torch takes one place without axes, too
    return paddle.where(paddle.index_fill(paddle.zeros_like(input), places, dim, 1).astype("bool"), value, input)


@rule(torch.index_fill, torch.Tensor.index_fill)
def index_fill(input, dim, index: Rank[1], value: paddle.Tensor):
    return paddle.where(paddle.index_fill(paddle.zeros_like(input), index, dim, 1).astype("bool"), value, input)


@rule(torch.index_fill, torch.Tensor.index_fill)
def index_fill(input, dim, index: Rank[1], value):
    return paddle.index_fill(input, index, dim, value)


@rule(torch.index_fill, torch.Tensor.index_fill)
def index_fill(input, dim, index, value):
    return paddle.index_fill(input, index.reshape([-1]), dim, value)


@rule(torch.Tensor.index_fill_)
def index_fill_(self, dim, index, value: paddle.Tensor):
    return paddle.assign(index_fill(self.clone(), dim, index, value), self)


@rule(torch.Tensor.index_fill_)
def index_fill_(self, dim, index: Rank[1], value: paddle.Tensor):
    return paddle.assign(index_fill(self.clone(), dim, index, value), self)


@rule(torch.Tensor.index_fill_)
def index_fill_(self, dim, index: Rank[1], value):
    return self.index_fill_(index, dim, value)


@rule(torch.Tensor.index_fill_)
def index_fill_(self, dim, index, value):
    return self.index_fill_(index.reshape([-1]), dim, value)


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


@rule(torch.masked_fill, torch.Tensor.masked_fill)
def masked_fill(input, mask, value: paddle.Tensor):
    # the gradient of paddle.masked_fill for its value is wrong
    return paddle.where(mask, value, input)


@rule(torch.masked_fill, torch.Tensor.masked_fill)
def masked_fill(input, mask, value: IntTensor | BoolTensor):
    return paddle.where(mask, value.astype(input.dtype), input)


@family("fill scatter", "value source")
@rule(torch.masked_fill, torch.Tensor.masked_fill)
def masked_fill(input, mask, value):
    return paddle.masked_fill(input, mask, value)


@rule(torch.Tensor.masked_fill_)
def masked_fill_(self, mask, value: IntTensor | BoolTensor):
    return self.masked_fill_(mask, value.astype(self.dtype))


@family("fill scatter", "value source")
@rule(torch.Tensor.masked_fill_)
def masked_fill_(self, mask, value):
    return self.masked_fill_(mask, value)


@rule(torch.put, torch.Tensor.put)
def put(input, index, source, accumulate=False):
    flat = paddle.index_put(input.flatten(), (index.flatten(),), source.flatten(), accumulate=accumulate)
    return flat.reshape(input.shape)


@rule(torch.Tensor.put_)
def put_(self, index, source, accumulate=False):
    return paddle.assign(put(self.clone(), index, source, accumulate), self)


@rule(torch.slice_scatter, torch.Tensor.slice_scatter)
def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    end = input.shape[dim] if end is None else end
    axis = dim if dim >= 0 else dim + input.ndim  # from the end, Paddle ends the process
    return paddle.slice_scatter(input, src, axes=[axis], starts=[start or 0], ends=[end], strides=[step])


@rule(torch.diagonal_scatter, torch.Tensor.diagonal_scatter)
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    # paddle.diagonal_scatter gives src no gradient
    places = paddle.arange(input.size).reshape(input.shape).diagonal(offset, dim1, dim2)
    return paddle.index_put(input.flatten(), (places.flatten(),), src.flatten()).reshape(input.shape)


@rule(torch.gather, torch.Tensor.gather)
def gather(input: Rank[0], dim, index, *, sparse_grad=False):
    return paddle.gather(input.reshape([1]), index.flatten()).reshape(index.shape)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: Rank[0], dim, index, src, *, reduce="assign"):
    return put_number(input, index, src, reduce)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: Rank[0], dim, index, *, value, reduce="assign"):
    return put_number(input, index, value, reduce)


@rule(torch.Tensor.scatter_)
def scatter_(self: Rank[0], dim, index, src, *, reduce="assign"):
    return paddle.assign(put_number(self.clone(), index, src, reduce), self)


@rule(torch.Tensor.scatter_)
def scatter_(self: Rank[0], dim, index, *, value, reduce="assign"):
    return paddle.assign(put_number(self.clone(), index, value, reduce), self)


def put_number(number, index, source, reduce):
    """paddle.put_along_axis for a number."""
    source = source.flatten() if isinstance(source, paddle.Tensor) else source
    return paddle.put_along_axis(number.reshape([1]), index.flatten(), source, 0, reduce=reduce).reshape([])


@rule(torch.scatter_add, torch.Tensor.scatter_add)
def scatter_add(input: Rank[0], dim, index, src):
    return put_number(input, index, src, "add")


@rule(torch.Tensor.scatter_add_)
def scatter_add_(self: Rank[0], dim, index, src):
    return paddle.assign(put_number(self.clone(), index, src, "add"), self)


@rule(torch.scatter_reduce, torch.Tensor.scatter_reduce)
def scatter_reduce(input: Rank[0], dim, index, src, reduce, *, include_self=True):
    return reduced_number(input, index, src, reduce, include_self)


@family("scatter index", "src source")
@rule(torch.Tensor.scatter_reduce_)
def scatter_reduce_(self: Rank[0], dim, index, src, reduce, *, include_self=True):
    return paddle.assign(reduced_number(self.clone(), index, src, reduce, include_self), self)


@rule(torch.index_reduce, torch.Tensor.index_reduce)
def index_reduce_of_one(input: Rank[0], dim, index, source, reduce, *, include_self=True):
    return reduced_number(input, index, source, reduce, include_self)


def reduced_number(number, index, source, reduce, include_self):
    """paddle.scatter_reduce for a number."""
    row = paddle.scatter_reduce(
        number.reshape([1]), 0, index.flatten(), source.flatten(), reduce, include_self=include_self
    )
    return row.reshape([])


@rule(torch.index_select, torch.Tensor.index_select)
def index_select(input: Rank[0], dim, index):
    return paddle.index_select(input.reshape([1]), index.flatten()).reshape([])


@family("fill copy", "value source")
@rule(torch.index_fill, torch.Tensor.index_fill)
def index_fill_of_one(input: Rank[0], dim, index, value):
    return put_number(input, index, value, "assign")


@family("fill copy", "value source")
@rule(torch.Tensor.index_fill_)
def index_fill_(self: Rank[0], dim, index, value):
    return paddle.assign(put_number(self.clone(), index, value, "assign"), self)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: BoolTensor, dim, index, src: BoolTensor):
    return paddle.put_along_axis(input.astype("int32"), index, src.astype("int32"), dim, broadcast=False).astype("bool")


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: BoolTensor, dim, index, src: bool):
    return paddle.put_along_axis(input.astype("int32"), index, int(src), dim, broadcast=False).astype("bool")


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: BoolTensor, dim, index, *, value):
    return paddle.put_along_axis(input.astype("int32"), index, int(value), dim, broadcast=False).astype("bool")


@rule(torch.Tensor.scatter_)
def scatter_(self: BoolTensor, dim, index, src: BoolTensor):
    return paddle.assign(
        paddle.put_along_axis(self.astype("int32"), index, src.astype("int32"), dim, broadcast=False).astype("bool"),
        self,
    )


@rule(torch.Tensor.scatter_)
def scatter_(self: BoolTensor, dim, index, src: bool):
    return paddle.assign(
        paddle.put_along_axis(self.astype("int32"), index, int(src), dim, broadcast=False).astype("bool"), self
    )


@rule(torch.Tensor.scatter_)
def scatter_(self: BoolTensor, dim, index, *, value):
    return paddle.assign(
        paddle.put_along_axis(self.astype("int32"), index, int(value), dim, broadcast=False).astype("bool"), self
    )


@rule(torch.gather, torch.Tensor.gather)
def gather(input: BoolTensor, dim, index, *, sparse_grad=False):
    return paddle.take_along_axis(input.astype("int32"), index, dim, broadcast=False).astype("bool")


@rule(torch.take_along_dim, torch.Tensor.take_along_dim)
def take_along_dim(input: BoolTensor, indices, dim: int):
    return paddle.take_along_axis(input.astype("int32"), indices, dim).astype("bool")
