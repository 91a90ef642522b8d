"""Histograms: of one variable, of several, with edges that are given."""

import math
from collections import namedtuple

import paddle
import torch

from rewriters.rule import rule

Histogram = namedtuple("Histogram", ["hist", "bin_edges"])


@rule(torch.histc, torch.Tensor.histc)
def histc(input, bins=100, min=0, max=0):
    return paddle.histogram(input, bins=bins, min=min, max=max).astype(input.dtype)


@rule(torch.histogram, torch.Tensor.histogram)
def histogram(input, bins: int = 100, *, range=None, weight=None, density=False):
    low, high = spans(input.reshape([-1, 1])) if range is None else range
    edges = between(paddle.to_tensor([low, high], dtype=input.dtype), bins)
    counts = counted(input.reshape([-1, 1]), [edges], weight, density)
    return Histogram(counts, edges)


@rule(torch.histogram, torch.Tensor.histogram)
def histogram(input, bins: paddle.Tensor, *, weight=None, density=False):
    counts = counted(input.reshape([-1, 1]), [bins], weight, density)
    return Histogram(counts, bins)


@rule(torch.histogramdd)
def histogramdd(input, bins, *, range=None, weight=None, density=False):
    points = input.flatten(0, -2)
    if isinstance(bins, int):
        bins = [bins] * points.shape[1]
    if isinstance(bins[0], paddle.Tensor):
        return Histogram(counted(points, bins, weight, density), tuple(bins))
    ends = spans(points) if range is None else range
    counts, edges = paddle.histogramdd(input, bins=list(bins), ranges=ends, density=density, weights=weight)
    return Histogram(counts, tuple(edges))


def between(ends, bins):
    """The edges of bins of one width, from either end on, each rounded once: a value may lie on one."""
    low, high = ends.astype("float64")
    step = ((ends[1] - ends[0]) / bins).astype("float64")
    number = paddle.arange(bins + 1, dtype="float64")
    lower = number < (bins + 1) // 2
    return paddle.where(lower, low + step * number, high - step * (bins - number)).astype(ends.dtype)


def counted(points, bins, weight, density):
    """How many points fall between these edges: none too, and none beyond edges that are not sorted."""
    place = paddle.zeros([points.shape[0]], dtype="int64")
    inside = paddle.ones([points.shape[0]], dtype="bool")
    for axis, edges in enumerate(bins):
        column = points[:, axis]
        inside = inside & (column >= edges[0]) & (column <= edges[-1])
        at = paddle.searchsorted(edges, column, right=True) - 1 - (column == edges[-1]).astype("int64")
        place = place * (edges.shape[0] - 1) + at
    shape = [edges.shape[0] - 1 for edges in bins]
    weights = None if weight is None else weight.flatten()[inside]
    counts = paddle.bincount(place[inside], weights=weights, minlength=math.prod(shape))
    counts = counts.reshape(shape).astype(points.dtype)
    if density:
        counts = counts / counts.sum()
        for axis, edges in enumerate(bins):
            counts = counts / paddle.diff(edges).reshape([-1] + [1] * (len(shape) - 1 - axis))
    return counts


def spans(points):
    """The lowest and the highest of each column, one after the other; wider where there is one value, or none."""
    if points.shape[0] == 0:
        return [0.0, 1.0] * points.shape[1]
    low, high = points.min(axis=0), points.max(axis=0)
    wide = (low == high).astype(points.dtype) / 2
    return paddle.stack([low - wide, high + wide], axis=-1).flatten().tolist()
