"""Tensors without an axis, which torch takes as of one and Paddle's functions along an axis refuse: where it is known.

These overloads answer before the general ones, whose files come later. Where the rank is not known the call is
Paddle's own, and Paddle says aloud that there is no such axis.
"""

import paddle
import torch

from rewriters.rule import Rank, Values, rule


@rule(torch.gather, torch.Tensor.gather)
def gather(input: Rank[0], dim, index, *, sparse_grad=False):
    return paddle.gather(input.reshape([1]), index.flatten()).reshape(index.shape)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: Rank[0], dim, index, src, *, reduce="assign"):
    return put_number(input, index, src, reduce)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: Rank[0], dim, index, *, value, reduce="assign"):  # noqa: F811
    return put_number(input, index, value, reduce)


@rule(torch.Tensor.scatter_)
def scatter_(self: Rank[0], dim, index, src, *, reduce="assign"):
    return paddle.assign(put_number(self.clone(), index, src, reduce), self)


@rule(torch.Tensor.scatter_)
def scatter_(self: Rank[0], dim, index, *, value, reduce="assign"):  # noqa: F811
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


@rule(torch.Tensor.scatter_reduce_)
def scatter_reduce_(self: Rank[0], dim, index, src, reduce, *, include_self=True):
    return paddle.assign(reduced_number(self.clone(), index, src, reduce, include_self), self)


@rule(torch.index_reduce, torch.Tensor.index_reduce)
def index_reduce(input: Rank[0], dim, index, source, reduce, *, include_self=True):
    return reduced_number(input, index, source, reduce, include_self)


@rule(torch.Tensor.index_reduce_)
def index_reduce_(self: Rank[0], dim, index, source, reduce, *, include_self=True):
    return paddle.assign(reduced_number(self.clone(), index, source, reduce, include_self), self)


def reduced_number(number, index, source, reduce, include_self):
    """paddle.scatter_reduce for a number."""
    row = paddle.scatter_reduce(
        number.reshape([1]), 0, index.flatten(), source.flatten(), reduce, include_self=include_self
    )
    return row.reshape([])


@rule(torch.index_select, torch.Tensor.index_select)
def index_select(input: Rank[0], dim, index):
    return paddle.index_select(input.reshape([1]), index.flatten()).reshape([])


@rule(torch.index_add, torch.Tensor.index_add)
def index_add(input: Rank[0], dim, index, source, *, alpha=1):
    return put_number(input, index, source * alpha, "add")


@rule(torch.Tensor.index_add_)
def index_add_(self: Rank[0], dim, index, source, *, alpha=1):
    return paddle.assign(put_number(self.clone(), index, source * alpha, "add"), self)


@rule(torch.index_fill, torch.Tensor.index_fill)
def index_fill(input: Rank[0], dim, index, value):
    return put_number(input, index, value, "assign")


@rule(torch.Tensor.index_fill_)
def index_fill_(self: Rank[0], dim, index, value):
    return paddle.assign(put_number(self.clone(), index, value, "assign"), self)


@rule(torch.index_copy, torch.Tensor.index_copy)
def index_copy(input: Rank[0], dim, index, source):
    return put_number(input, index, source, "assign")


@rule(torch.Tensor.index_copy_)
def index_copy_(self: Rank[0], dim, index, source):
    return paddle.assign(put_number(self.clone(), index, source, "assign"), self)


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


@rule(torch.argmax, torch.Tensor.argmax, torch.argmin, torch.Tensor.argmin)
def argmax(input: Rank[0], dim=None, keepdim=False):
    return paddle.zeros([], dtype="int64")


@rule(torch.kthvalue, torch.Tensor.kthvalue)
def kthvalue(input: Rank[0], k, dim=-1, keepdim=False):
    return Values(input.clone(), paddle.zeros([], dtype="int64"))


@rule(torch.mode, torch.Tensor.mode)
def mode(input: Rank[0], dim=-1, keepdim=False):
    return Values(input.clone(), paddle.zeros([], dtype="int64"))


@rule(torch.cummax, torch.Tensor.cummax, torch.cummin, torch.Tensor.cummin)
def cummax(input: Rank[0], dim):
    return Values(input.clone(), paddle.zeros([], dtype="int64"))


@rule(torch.logcumsumexp, torch.Tensor.logcumsumexp)
def logcumsumexp(input: Rank[0], dim):
    return input.clone()


@rule(torch.fft.fftn, torch.fft.ifftn)
def fftn(input: Rank[0], s=None, dim=None, norm=None):
    return input * (1 + 0j)


@rule(torch.prod, torch.Tensor.prod)
def prod(input: Rank[0], dim=None, keepdim=False, *, dtype=None):
    return paddle.sum(input, dtype=dtype)  # Paddle's product hands a zero the gradient NaN


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input: Rank[0], p="fro", dim=None, keepdim=False, dtype=None):
    return paddle.norm((input if dtype is None else input.astype(dtype)).reshape([1]), p=2 if p == "fro" else p)


@rule(torch.transpose, torch.swapdims, torch.transpose_copy, torch.Tensor.transpose, torch.Tensor.swapdims)
def transpose(input: Rank[0], dim0, dim1):
    return input.clone()


@rule(torch.swapaxes, torch.Tensor.swapaxes)
def swapaxes(input: Rank[0], axis0, axis1):
    return input.clone()


@rule(torch.Tensor.transpose_, torch.Tensor.swapdims_)
def transpose_(self: Rank[0], dim0, dim1):
    return self


@rule(torch.Tensor.swapaxes_)
def swapaxes_(self: Rank[0], axis0, axis1):
    return self


@rule(torch.linalg.vander)
def vander(x: Rank[0], *, N=None):
    return paddle.vander(x.reshape([1]), n=N, increasing=True)


@rule(torch.flatten, torch.Tensor.flatten)
def flatten(input: Rank[0], start_dim=0, end_dim=-1):
    return input.unsqueeze(0)  # in its memory, where Paddle's own gives a copy


@rule(torch.ravel, torch.Tensor.ravel)
def ravel(input: Rank[0]):
    return input.unsqueeze(0)
