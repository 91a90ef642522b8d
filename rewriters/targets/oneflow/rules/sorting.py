"""Sorting, ranks, quantiles, unique values, cumulative functions."""

import math

import numpy
import oneflow
import torch

from rewriters.rule import BoolTensor, FloatTensor, IntTensor, Rank, Values, family, rule
from rewriters.targets.oneflow.rules.arithmetic import logaddexp


def stable_order(values, dim, descending):
    """Indices that sort an array along an axis, equal elements in their order."""
    if not descending:
        return numpy.argsort(values, dim, kind="stable")
    from_behind = numpy.argsort(numpy.flip(values, dim), dim, kind="stable")
    return values.shape[dim] - 1 - numpy.flip(from_behind, dim)


@rule(torch.sort, torch.Tensor.sort)
def sort(input, dim=-1, descending=False, stable=False):
    # OneFlow's indices are int32
    if input.ndim == 0 or 0 in input.shape:
        return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))
    indices = oneflow.argsort(input, dim=dim, descending=descending).to(oneflow.int64)
    return Values(oneflow.gather(input, dim, indices), indices)


@rule(torch.sort, torch.Tensor.sort)
def sort(input, *, stable, dim=-1, descending=False):
    if input.ndim == 0 or 0 in input.shape:
        return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))
    if stable:
        indices = oneflow.tensor(stable_order(input.detach().numpy(), dim, descending), device=input.device)
        return Values(oneflow.gather(input, dim, indices), indices)
    indices = oneflow.argsort(input, dim=dim, descending=descending).to(oneflow.int64)
    return Values(oneflow.gather(input, dim, indices), indices)


@rule(torch.argsort, torch.Tensor.argsort)
def argsort(input, dim=-1, descending=False, *, stable=False):
    if stable and input.ndim > 0:
        return oneflow.tensor(stable_order(input.detach().numpy(), dim, descending), device=input.device)
    return oneflow.argsort(input, dim=dim, descending=descending).to(oneflow.int64)


@rule(torch.msort, torch.Tensor.msort)
def msort(input):
    return oneflow.sort(input, 0)[0]


# OneFlow leaves NaN where it lies; in torch it is the largest, as in numpy. Chosen by passes/reading.py.
@rule("torch.sort:nan", "torch.Tensor.sort:nan")
def sort_or_nan(input, dim=-1, descending=False, stable=False):
    if input.ndim == 0 or 0 in input.shape:
        return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))
    indices = oneflow.tensor(stable_order(input.detach().numpy(), dim, descending), device=input.device)
    return Values(oneflow.gather(input, dim, indices), indices)


@rule("torch.argsort:nan", "torch.Tensor.argsort:nan")
def argsort_or_nan(input, dim=-1, descending=False, *, stable=False):
    return sort_or_nan(input, dim, descending).indices


@rule("torch.msort:nan", "torch.Tensor.msort:nan")
def msort_or_nan(input):
    return sort_or_nan(input, 0).values


@rule("torch.topk:nan", "torch.Tensor.topk:nan")
def topk_or_nan(input, k, dim=-1, largest=True, sorted=True):
    values, indices = sort_or_nan(input, dim, largest)
    if input.ndim == 0:
        return Values(values, indices)
    return Values(oneflow.narrow(values, dim, 0, k), oneflow.narrow(indices, dim, 0, k))


@rule(torch.topk)
def topk_function(input, k):
    return oneflow.topk(input, k)


@rule(torch.topk)
def topk_function(input, k, dim=-1, largest=True, sorted=True):
    return oneflow.topk(input, k, dim=dim, largest=largest, sorted=sorted)


@rule(torch.kthvalue, torch.Tensor.kthvalue)
def kthvalue(input, k, dim=-1, keepdim=False):
    if input.ndim == 0:
        return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))
    indices = oneflow.narrow(oneflow.argsort(input, dim=dim), dim, k - 1, 1).to(oneflow.int64)
    values = oneflow.gather(input, dim, indices)
    return Values(values, indices) if keepdim else Values(values.squeeze(dim), indices.squeeze(dim))


@rule(torch.quantile, torch.Tensor.quantile)
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return at_ranks(input, q, dim, keepdim, interpolation, False)


@rule(torch.nanquantile, torch.Tensor.nanquantile)
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return at_ranks(input, q, dim, keepdim, interpolation, True)


def at_ranks(input, q, dim, keepdim, interpolation, skip):
    """Quantiles of sorted values; with ``skip`` those of the numbers among them."""
    shape, levels = list(input.shape), q if isinstance(q, oneflow.Tensor) else oneflow.tensor(q, dtype=input.dtype)
    if dim is None or input.ndim == 0:
        flat, kept = input.reshape(-1), [1] * input.ndim
    else:
        axis = dim % input.ndim
        flat = input.permute(*[n for n in range(input.ndim) if n != axis], axis) if input.ndim > 1 else input
        kept = [1 if n == axis else size for n, size in enumerate(shape)]
    missing = oneflow.isnan(flat)
    ordered = oneflow.sort(oneflow.masked_fill(flat, missing, math.inf), -1)[0]
    levels = levels.to(input.device).to(input.dtype).reshape(-1, *[1] * (flat.ndim - 1))
    numbers = oneflow.sum(oneflow.logical_not(missing).to(input.dtype), -1).unsqueeze(0)
    ranks = levels * (numbers - 1 if skip else oneflow.full_like(numbers, flat.shape[-1] - 1.0))
    ranks = oneflow.clamp(ranks, min=0)
    low = oneflow.floor(ranks)
    if interpolation == "lower":
        ranks = low
    elif interpolation == "higher":
        ranks = low = oneflow.ceil(ranks)
    elif interpolation == "nearest":
        ranks = low = oneflow.round(ranks)
    weight = oneflow.full_like(ranks, 0.5) * (ranks != low) if interpolation == "midpoint" else ranks - low
    results = []
    for level in range(ranks.shape[0]):
        at = low[level].to(oneflow.int64).unsqueeze(-1)
        first = oneflow.gather(ordered, -1, at)
        second = oneflow.gather(ordered, -1, oneflow.clamp(at + 1, max=flat.shape[-1] - 1))
        apart = weight[level].unsqueeze(-1)
        # an infinite neighbour of no weight must not make a NaN
        between = first + apart * (oneflow.where(apart > 0, second, first) - first)
        result = oneflow.where(first == second, first, between).squeeze(-1)
        unknown = numbers[0] == 0 if skip else oneflow.sum(missing.to(oneflow.int64), -1) > 0
        result = oneflow.masked_fill(result, unknown, math.nan)
        results.append(result.reshape(kept) if keepdim else result)
    several = isinstance(q, oneflow.Tensor) and q.ndim > 0
    return oneflow.stack(results) if several else results[0]


@rule(torch.unique, torch.Tensor.unique)
def unique(input, sorted=True):
    return oneflow.unique(input, sorted=sorted)


@rule(torch.unique, torch.Tensor.unique)
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    values = input.detach().numpy()
    found, inverse, counts = numpy.unique(values, return_inverse=True, return_counts=True, axis=dim)
    parts = [oneflow.tensor(found.astype(values.dtype), device=input.device)]
    if return_inverse:
        shape = values.shape if dim is None else (values.shape[dim],)
        parts.append(oneflow.tensor(inverse.reshape(shape).astype(numpy.int64), device=input.device))
    if return_counts:
        parts.append(oneflow.tensor(counts.astype(numpy.int64), device=input.device))
    return tuple(parts) if len(parts) > 1 else parts[0]


@rule(torch.unique_consecutive, torch.Tensor.unique_consecutive)
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    values = input.detach().numpy()
    along = values.reshape(-1) if dim is None else numpy.moveaxis(values, dim, 0)
    rows = along.reshape(len(along), math.prod(along.shape[1:]))
    first = numpy.ones(len(along), bool)
    first[1:] = (rows[1:] != rows[:-1]).any(1)
    kept = along[first] if dim is None else numpy.moveaxis(along[first], 0, dim)
    parts = [oneflow.tensor(numpy.ascontiguousarray(kept), device=input.device)]
    if return_inverse:
        inverse = numpy.cumsum(first) - 1
        inverse = inverse.reshape(values.shape) if dim is None else inverse
        parts.append(oneflow.tensor(inverse.astype(numpy.int64), device=input.device))
    if return_counts:
        counts = numpy.diff(numpy.append(numpy.flatnonzero(first), len(along)))
        parts.append(oneflow.tensor(counts.astype(numpy.int64), device=input.device))
    return tuple(parts) if len(parts) > 1 else parts[0]


def places_among(sequence, values, right):
    """By halves, as torch goes: of a sequence that is not sorted what it finds, too."""
    low = numpy.zeros(numpy.shape(values), numpy.int64)
    high = low + len(sequence)
    while (low < high).any():
        middle = (low + high) // 2
        here = sequence[numpy.minimum(middle, len(sequence) - 1)]
        above = numpy.logical_not(here > values if right else here >= values) & (low < high)
        low, high = numpy.where(above, middle + 1, low), numpy.where(above | (low >= high), high, middle)
    return low


@rule(torch.searchsorted)
def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    if sorter is not None:
        sorted_sequence = oneflow.gather(sorted_sequence, -1, sorter)
    if side is not None:
        right = side == "right"
    if isinstance(input, float) and not sorted_sequence.is_floating_point():
        sorted_sequence = sorted_sequence.float()  # beside integers a fraction is cut off
    if sorted_sequence.ndim == 1 and isinstance(input, oneflow.Tensor):
        found = places_among(sorted_sequence.detach().numpy(), input.detach().numpy(), right)
        dtype = oneflow.int32 if out_int32 else oneflow.int64
        return oneflow.tensor(numpy.asarray(found), dtype=dtype, device=input.device)
    return oneflow.searchsorted(sorted_sequence, input, out_int32=out_int32, right=right)


@rule(torch.searchsorted)
def searchsorted(sorted_sequence: FloatTensor, input: float, *, out_int32=False, right=False, side=None, sorter=None):
    if sorter is not None:
        sorted_sequence = oneflow.gather(sorted_sequence, -1, sorter)
    if side is not None:
        right = side == "right"
    return oneflow.searchsorted(sorted_sequence, input, out_int32=out_int32, right=right)


@rule(torch.searchsorted)
def searchsorted(sorted_sequence, *, self, out_int32=False, right=False, side=None, sorter=None):
    # a number is under this name in torch
    if sorter is not None:
        sorted_sequence = oneflow.gather(sorted_sequence, -1, sorter)
    found = numpy.searchsorted(
        sorted_sequence.detach().numpy(),
        self.numpy() if isinstance(self, oneflow.Tensor) else self,
        side="right" if right or side == "right" else "left",
    )
    return oneflow.tensor(found, dtype=oneflow.int32 if out_int32 else oneflow.int64, device=sorted_sequence.device)


@rule(torch.bucketize)
def bucketize(input, boundaries, *, out_int32=False, right=False):
    if isinstance(input, float) and not boundaries.is_floating_point():
        boundaries = boundaries.float()  # beside integers a fraction is cut off
    if not isinstance(input, oneflow.Tensor):
        return oneflow.searchsorted(boundaries, input, out_int32=out_int32, right=right)
    found = numpy.searchsorted(boundaries.detach().numpy(), input.detach().numpy(), side="right" if right else "left")
    dtype = oneflow.int32 if out_int32 else oneflow.int64
    return oneflow.tensor(numpy.asarray(found), dtype=dtype, device=input.device)


@rule(torch.bucketize)
def bucketize(input: float, boundaries: FloatTensor, *, out_int32=False, right=False):
    return oneflow.searchsorted(boundaries, input, out_int32=out_int32, right=right)


@rule(torch.isin)
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    first = elements.numpy() if isinstance(elements, oneflow.Tensor) else elements
    second = test_elements.numpy() if isinstance(test_elements, oneflow.Tensor) else test_elements
    device = elements.device if isinstance(elements, oneflow.Tensor) else test_elements.device
    return oneflow.tensor(numpy.isin(first, second, invert=invert), device=device)


@rule(torch.histc, torch.Tensor.histc)
def histc(input, bins=100, min=0, max=0):
    values = input.detach().numpy()
    if min == max and values.size:
        min, max = values.min(), values.max()
    if min == max:
        min, max = min - 1, max + 1
    found = numpy.histogram(values[(values >= min) & (values <= max)], bins=bins, range=(min, max))[0]
    return oneflow.tensor(found.astype(values.dtype), device=input.device)


@family("cumsum cumprod")
@rule(torch.cumsum, torch.Tensor.cumsum)
def cumsum(input: Rank[0], dim, *, dtype=None):
    if dtype is None:
        return input.clone() if input.is_floating_point() else input.to(oneflow.int64, copy=True)
    return input.to(dtype, copy=True)


@family("cumsum cumprod")
@rule(torch.cumsum)
def cumsum(input, dim, *, dtype=None):
    # of integers it is int64
    return oneflow.cumsum(input, dim) if dtype is None else oneflow.cumsum(input.to(dtype), dim).to(dtype)


@family("cumsum cumprod")
@rule(torch.Tensor.cumsum)
def cumsum_method(self, dim, *, dtype=None):
    return self.cumsum(dim) if dtype is None else self.to(dtype).cumsum(dim).to(dtype)


@family("cumsum cumprod")
@rule(torch.Tensor.cumsum_)
def cumsum_(self, dim, *, dtype=None):
    if self.ndim:
        self[...] = oneflow.cumsum(self.clone(), dim)
    return self


@rule(torch.cummax, torch.Tensor.cummax)
def cummax(input, dim):
    return running(input, dim, 1)


@rule(torch.cummin, torch.Tensor.cummin)
def cummin(input, dim):
    return running(input, dim, -1)


def running(input, dim, sign):
    """The largest so far along an axis (of sign -1: the smallest) and where the last of them is."""
    if input.ndim == 0:
        return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))
    values = numpy.moveaxis(input.detach().numpy(), dim, 0)
    best, at = values.copy(), numpy.zeros(values.shape, numpy.int64)
    for row in range(1, len(values)):
        wins = (sign * values[row].astype(float) >= sign * best[row - 1].astype(float)) | (values[row] != values[row])
        best[row] = numpy.where(wins & (best[row - 1] == best[row - 1]), values[row], best[row - 1])
        at[row] = numpy.where(wins, row, at[row - 1])
    indices = oneflow.tensor(numpy.ascontiguousarray(numpy.moveaxis(at, 0, dim)), device=input.device)
    return Values(oneflow.gather(input, dim, indices), indices)


@rule(torch.logcumsumexp, torch.Tensor.logcumsumexp)
def logcumsumexp(input, dim):
    if input.ndim == 0:
        return input.clone()
    rows = [oneflow.narrow(input, dim, 0, 1)]
    for row in range(1, input.shape[dim]):
        rows.append(logaddexp(rows[-1], oneflow.narrow(input, dim, row, 1)))
    return oneflow.cat(rows, dim)


@rule(torch.topk, torch.Tensor.topk)
def topk(input: Rank[0], k, dim=-1, largest=True, sorted=True):
    return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))


@rule(torch.argsort, torch.Tensor.argsort)
def argsort(input: Rank[0], dim=-1, descending=False, *, stable=False):
    return oneflow.zeros_like(input, dtype=oneflow.int64)


@rule(torch.cumprod, torch.Tensor.cumprod)
def cumprod(input: IntTensor | BoolTensor, dim, *, dtype=None):
    if dtype is None:
        return oneflow.cumprod(input.to(oneflow.int64), dim)
    return oneflow.cumprod(input.to(dtype), dim).to(dtype)


@rule(torch.mode, torch.Tensor.mode)
def mode(input, dim=-1, keepdim=False):
    if input.ndim == 0:
        return Values(input.clone(), oneflow.zeros((), dtype=oneflow.int64, device=input.device))
    # of the values that are there most often the least, at its last place
    order = oneflow.sort(input.detach(), dim=dim)[0].numpy()
    rows = numpy.moveaxis(order, dim, -1)
    often = numpy.stack([(rows == rows[..., n : n + 1]).sum(-1) for n in range(rows.shape[-1])], -1)
    found = numpy.take_along_axis(rows, often.argmax(-1)[..., None], -1)
    given = numpy.moveaxis(input.detach().numpy(), dim, -1)
    last = given.shape[-1] - 1 - (given == found)[..., ::-1].argmax(-1)
    place = oneflow.tensor(numpy.asarray(last), dtype=oneflow.int64, device=input.device).unsqueeze(dim)
    values = oneflow.gather(input, dim, place)
    return Values(values, place) if keepdim else Values(values.squeeze(dim), place.squeeze(dim))
