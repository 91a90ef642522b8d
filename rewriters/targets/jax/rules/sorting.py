"""Order: sorting, the largest, what is unique, counts."""

from collections import namedtuple

import jax
import jax.numpy as jnp
import numpy
import torch

from rewriters.rule import Values, becomes, rule

becomes(torch.bincount, torch.Tensor.bincount, jnp.bincount, weights="/")

Histogram = namedtuple("Histogram", ["hist", "bin_edges"])


@rule(torch.sort, torch.Tensor.sort)
def sort(input, dim=-1, descending=False, stable=False):
    return sorted_along(input, dim, descending)


@rule(torch.sort, torch.Tensor.sort)
def sort(input, *, stable, dim=-1, descending=False):
    return sorted_along(input, dim, descending)


def sorted_along(x, dim, descending):
    if x.ndim == 0:
        return Values(x, jnp.zeros((), jnp.int64))
    order = jnp.argsort(x, axis=dim, descending=descending)
    return Values(jnp.take_along_axis(x, order, dim), order)


@rule(torch.argsort, torch.Tensor.argsort)
def argsort(input, dim=-1, descending=False):
    return jnp.argsort(input, axis=dim, descending=descending)


@rule(torch.argsort, torch.Tensor.argsort)
def argsort(input, *, stable, dim=-1, descending=False):
    return jnp.argsort(input, axis=dim, descending=descending)


@rule(torch.msort, torch.Tensor.msort)
def msort(input):
    return jnp.sort(input, axis=0)


@rule(torch.topk, torch.Tensor.topk)
def topk(input, k, dim=-1, largest=True, sorted=True):
    if input.ndim == 0:
        return Values(input, jnp.zeros((), jnp.int64))
    order = jnp.argsort(input, axis=dim, descending=largest)
    order = jax.lax.slice_in_dim(order, 0, k, axis=dim % input.ndim)
    return Values(jnp.take_along_axis(input, order, dim), order)


@rule(torch.kthvalue, torch.Tensor.kthvalue)
def kthvalue(input, k, dim=-1, keepdim=False):
    if input.ndim == 0:
        return Values(input, jnp.zeros((), jnp.int64))
    order = jax.lax.slice_in_dim(jnp.argsort(input, axis=dim), k - 1, k, axis=dim % input.ndim)
    found = jnp.take_along_axis(input, order, dim)
    return Values(found, order) if keepdim else Values(found.squeeze(dim), order.squeeze(dim))


@rule(torch.unique, torch.Tensor.unique)
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    found = jnp.unique(input, return_inverse=True, return_counts=True, axis=dim)
    asked = [found[0], *([found[1]] if return_inverse else []), *([found[2]] if return_counts else [])]
    return asked[0] if len(asked) == 1 else tuple(asked)


@rule(torch.unique_consecutive, torch.Tensor.unique_consecutive)
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    rows = input.reshape(-1) if dim is None else jnp.moveaxis(input, dim, 0)
    flat = rows.reshape(rows.shape[0], -1)
    new = jnp.concatenate([jnp.ones(min(1, rows.shape[0]), bool), (flat[1:] != flat[:-1]).any(1)])
    found = rows[new] if dim is None else jnp.moveaxis(rows[new], 0, dim)
    inverse = jnp.cumsum(new) - 1
    counts = jnp.bincount(inverse, length=int(new.sum()))
    if dim is None:
        inverse = inverse.reshape(input.shape)
    asked = [found, *([inverse] if return_inverse else []), *([counts] if return_counts else [])]
    return asked[0] if len(asked) == 1 else tuple(asked)


@rule(torch.histc, torch.Tensor.histc)
def histc(input, bins=100, min=0, max=0):
    # between the extremes where none are named
    low, high = (input.min(), input.max()) if min == max == 0 and input.size else (min, max)
    low, high = (low - 1, high + 1) if low == high else (low, high)
    return jnp.histogram(input, bins, range=(low, high))[0].astype(input.dtype)


@rule(torch.diff, torch.Tensor.diff)
def diff(input, n=1, dim=-1, prepend=None, append=None):
    if input.dtype == jnp.bool_ and n == 1 and prepend is None and append is None:
        return jax.lax.slice_in_dim(input, 1, None, axis=dim % input.ndim) ^ jax.lax.slice_in_dim(
            input, 0, -1, axis=dim % input.ndim
        )
    return jnp.diff(input, n, dim, prepend, append)


@rule(torch.histogram, torch.Tensor.histogram)
def histogram(input, bins, *, range=None, weight=None, density=False):
    if hasattr(bins, "ndim"):
        counts, edges = jnp.histogram(input, bins, weights=weight, density=density)
    else:
        counts, edges = jnp.histogram(input, bins, range=range, weights=weight, density=density)
    return Histogram(counts.astype(input.dtype), edges.astype(input.dtype))


@rule(torch.histogramdd)
def histogramdd(input, bins, *, range=None, weight=None, density=False):
    points = input.reshape(-1, input.shape[-1])
    columns = points.shape[1]
    weights = None if weight is None else weight.reshape(-1)
    bins = [bins] * columns if isinstance(bins, int) else list(bins)
    spans = None if range is None else [(range[2 * n], range[2 * n + 1]) for n in numpy.arange(columns)]
    if hasattr(bins[0], "ndim"):
        counts, edges = jnp.histogramdd(points, bins, weights=weights, density=density)
    else:
        if points.shape[0] == 0 and spans is None:
            spans = [(0.0, 1.0)] * columns
        counts, edges = jnp.histogramdd(points, bins, range=spans, weights=weights, density=density)
    return Histogram(counts.astype(input.dtype), tuple(edge.astype(input.dtype) for edge in edges))
