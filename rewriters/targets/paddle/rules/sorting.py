"""Sorting, ranks, unique values, running extremes."""

import paddle
import torch

from rewriters.rule import BoolTensor, FloatTensor, IntTensor, Rank, Values, family, note, rule


@rule(torch.sort, torch.Tensor.sort)
def sort(input, dim=-1, descending=False, stable=False):
    return paddle.compat.sort(input, dim=dim, descending=descending, stable=stable)


@rule(torch.argsort, torch.Tensor.argsort)
def argsort(input, dim=-1, descending=False, stable=False):
    return paddle.argsort(input, axis=dim, descending=descending, stable=stable)


@rule(torch.sort, torch.Tensor.sort)
def sort(input: BoolTensor, dim=-1, descending=False, stable=False):
    values, indices = paddle.compat.sort(input.astype("int32"), dim=dim, descending=descending, stable=stable)
    return Values(values.astype("bool"), indices)


@rule(torch.argsort, torch.Tensor.argsort)
def argsort(input: BoolTensor, dim=-1, descending=False, stable=False):
    return paddle.argsort(input.astype("int32"), axis=dim, descending=descending, stable=stable)


@rule(torch.msort, torch.Tensor.msort)
def msort(input):
    return paddle.sort(input, axis=0)


@rule(torch.topk, torch.Tensor.topk)
def topk(input, k, dim=-1, largest=True, sorted=True):
    return paddle.topk(input, k, axis=None if dim == -1 else dim, largest=largest, sorted=sorted)


note(
    torch.kthvalue,
    torch.Tensor.kthvalue,
    "of equal elements the index is Paddle's choice, which is another than torch's",
)


@rule(torch.kthvalue, torch.Tensor.kthvalue)
def kthvalue(input, k, dim=-1, keepdim=False):
    return Values(*paddle.kthvalue(input, k, axis=dim, keepdim=keepdim))


@rule(torch.mode, torch.Tensor.mode)
def mode(input, dim=-1, keepdim=False):
    return Values(*paddle.mode(input, axis=dim, keepdim=keepdim))


@family("cummax cummin")
@rule(torch.cummax, torch.Tensor.cummax)
def cummax(input, dim):
    return Values(*paddle.cummax(input, axis=dim))


@family("cumsum cumprod", "axis dim")
@rule(torch.cumsum, torch.Tensor.cumsum)
def cumsum(input, dim, *, dtype=None):
    return paddle.cumsum(input, axis=dim, dtype=dtype)


@rule(torch.logcumsumexp, torch.Tensor.logcumsumexp)
def logcumsumexp(input, dim):
    return paddle.logcumsumexp(input, axis=dim)


@rule(torch.diff, torch.Tensor.diff)
def diff(input, n=1, dim=-1, prepend=None, append=None):
    if n == 0:
        return input
    return paddle.diff(input, n=n, axis=dim, prepend=prepend, append=append)


@rule(torch.unique, torch.Tensor.unique)
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    if dim is not None and dim not in (0, 1):
        return unique_slices(input, dim, return_inverse, return_counts)
    if return_inverse and dim is None:  # Paddle's inverse is flat for some inputs
        found = paddle.compat.unique(input, sorted=sorted, return_inverse=True, return_counts=return_counts)
        return found[0], found[1].reshape(input.shape), *found[2:]
    return paddle.compat.unique(
        input, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts, dim=dim
    )


@rule(torch.unique, torch.Tensor.unique)
def unique(input: BoolTensor, sorted=True, return_inverse=False, return_counts=False, dim=None):
    found = unique(input.astype("int32"), sorted, return_inverse, return_counts, dim)
    return (found[0].astype("bool"), *found[1:]) if isinstance(found, tuple) else found.astype("bool")


def unique_slices(x, axis, return_inverse, return_counts):
    """Along an axis but the first two; there Paddle compares the elements in another order, or ends the process."""
    rows = paddle.moveaxis(x, axis, 0)
    found = paddle.compat.unique(rows, return_inverse=return_inverse, return_counts=return_counts, dim=0)
    if return_inverse or return_counts:
        return paddle.moveaxis(found[0], 0, axis), *found[1:]
    return paddle.moveaxis(found, 0, axis)


@rule(torch.unique_consecutive, torch.Tensor.unique_consecutive)
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    if not return_inverse or dim is not None:
        return paddle.unique_consecutive(input, return_inverse=return_inverse, return_counts=return_counts, axis=dim)
    found = paddle.unique_consecutive(input, return_inverse=True, return_counts=return_counts)
    return found[0], found[1].reshape(input.shape), *found[2:]


@rule(torch.searchsorted)
def searchsorted(sorted_sequence, input: paddle.Tensor, *, out_int32=False, right=False, side=None, sorter=None):
    return paddle.searchsorted(sorted_sequence, input, out_int32=out_int32, right=right, side=side, sorter=sorter)


@rule(torch.searchsorted)
def searchsorted(sorted_sequence, self: int | float, *, out_int32=False, right=False, side=None, sorter=None):
    number = among(self, sorted_sequence)
    return paddle.searchsorted(sorted_sequence, number, out_int32=out_int32, right=right, side=side, sorter=sorter)


@rule(torch.searchsorted)
def searchsorted(
    sorted_sequence: FloatTensor, self: int | float, *, out_int32=False, right=False, side=None, sorter=None
):
    return paddle.searchsorted(
        sorted_sequence,
        paddle.full([], self, dtype=sorted_sequence.dtype),
        out_int32=out_int32,
        right=right,
        side=side,
        sorter=sorter,
    )


def among(number, sequence):
    """The number as a tensor that is compared with those of a sequence: a fraction stays one beside integers."""
    return paddle.full([], number, dtype=sequence.dtype if sequence.is_floating_point() else None)


@rule(torch.searchsorted)
def searchsorted(sorted_sequence, *, self: paddle.Tensor, out_int32=False, right=False, side=None, sorter=None):
    return paddle.searchsorted(sorted_sequence, self, out_int32=out_int32, right=right, side=side, sorter=sorter)


@rule(torch.bucketize)
def bucketize(input: paddle.Tensor, boundaries, *, out_int32=False, right=False):
    return paddle.bucketize(input, boundaries, out_int32=out_int32, right=right)


@rule(torch.bucketize)
def bucketize(input: int | float, boundaries, *, out_int32=False, right=False):
    return paddle.bucketize(among(input, boundaries), boundaries, out_int32=out_int32, right=right)


@rule(torch.bucketize)
def bucketize(input: int | float, boundaries: FloatTensor, *, out_int32=False, right=False):
    return paddle.bucketize(
        paddle.full([], input, dtype=boundaries.dtype), boundaries, out_int32=out_int32, right=right
    )


@rule(torch.isin)
def isin(elements, test_elements: Rank[0], *, assume_unique=False, invert=False):
    # paddle.isin gives one number a shape of its own
    return paddle.isin(elements, test_elements.reshape([1]), assume_unique=assume_unique, invert=invert)


@rule(torch.isin)
def isin(elements, test_elements: int | float, *, assume_unique=False, invert=False):
    found = elements == test_elements
    return ~found if invert else found


@rule(torch.isin)
def isin(elements: int | float, test_elements: paddle.Tensor, *, assume_unique=False, invert=False):
    found = (test_elements == elements).any()
    return ~found if invert else found


@rule(torch.isin)
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    return paddle.isin(elements, test_elements, assume_unique=assume_unique, invert=invert)


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


@family("cumsum cumprod", "axis dim")
@rule(torch.cumsum, torch.Tensor.cumsum)
def cumsum(input: IntTensor | BoolTensor, dim, *, dtype=None):
    if dtype is None:
        return paddle.cumsum(input.astype("int64"), axis=dim)
    return paddle.cumsum(input, axis=dim, dtype=dtype)
