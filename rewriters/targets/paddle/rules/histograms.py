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
    counts = paddle.histogram(input, bins=bins, min=low, max=high, weight=weight).astype(input.dtype)
    edges = paddle.linspace(low, high, bins + 1, dtype=input.dtype)
    return Histogram(counts / counts.sum() / paddle.diff(edges) if density else counts, edges)


@rule(torch.histogram, torch.Tensor.histogram)
def histogram(input, bins: paddle.Tensor, *, weight=None, density=False):
    place = paddle.searchsorted(bins, input.flatten(), right=True) - 1
    place = paddle.where(input.flatten() == bins[-1], paddle.full_like(place, bins.shape[0] - 2), place)
    inside = (place >= 0) & (place < bins.shape[0] - 1)
    weights = None if weight is None else weight.flatten()[inside]
    counts = paddle.bincount(place[inside], weights=weights, minlength=bins.shape[0] - 1).astype(input.dtype)
    if density:
        counts = counts / counts.sum() / paddle.diff(bins)
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
