"""torch: items, conditions and places of what is not zero."""

import paddle
import torch

from rewriters.rule import Rank, becomes, rule

becomes(torch.masked_select, torch.Tensor.masked_select, paddle.masked_select)


@rule(torch.where)
def where(condition):
    return paddle.where(condition)


@rule(torch.where)
def where(condition, input, other):
    return paddle.where(condition, input, other)


@rule(torch.Tensor.where)
def where(self, condition, other):
    return paddle.where(condition, self, other)


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
    found, indices = [], indices.astype("int64")
    for length in reversed([shape] if isinstance(shape, int) else shape):
        found.insert(0, indices % length)
        indices = (indices // length).reshape(indices.shape)  # of a number Paddle gives one of one axis
    return tuple(found)


@rule(torch.nonzero, torch.Tensor.nonzero)
def nonzero(input: Rank[0], *, as_tuple=False):
    if as_tuple:
        return paddle.nonzero(input.reshape([1]), as_tuple=True)
    return paddle.nonzero(input.reshape([1]))[:, :0]


@rule(torch.argwhere, torch.Tensor.argwhere)
def argwhere(input: Rank[0]):
    return paddle.nonzero(input.reshape([1]))[:, :0]


@rule(torch.nonzero_static, torch.Tensor.nonzero_static)
def nonzero_static(input: Rank[0], *, size, fill_value=-1):
    return paddle.empty([size, 0], dtype="int64")
