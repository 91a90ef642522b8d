"""Histograms of edges, counted by NumPy: they have no gradients."""

import math
from collections import namedtuple

import numpy
import oneflow
import torch

from rewriters.rule import rule

Histogram = namedtuple("Histogram", ["hist", "bin_edges"])


def spans(points):
    """The lowest and the highest of each column; wider where there is one value, or none."""
    if not len(points):
        return [(0.0, 1.0)] * points.shape[1]
    pairs = zip(points.min(0).tolist(), points.max(0).tolist(), strict=True)
    return [(low - 0.5, high + 0.5) if low == high else (low, high) for low, high in pairs]


def between(ends, bins):
    """The edges of bins of one width, from either end on, each rounded once: a value may lie on one."""
    low, high = ends.astype(numpy.float64)
    step = ((ends[1] - ends[0]) / ends.dtype.type(bins)).astype(numpy.float64)
    number = numpy.arange(bins + 1)
    lower = number < (bins + 1) // 2
    return numpy.where(lower, low + step * number, high - step * (bins - number)).astype(ends.dtype)


def numbers_within(points, edges, weights):
    """How many points fall between the edges: none too, and none beyond edges that are not sorted."""
    place = numpy.zeros(len(points), numpy.int64)
    inside = numpy.ones(len(points), bool)
    for axis, edge in enumerate(edges):
        column = points[:, axis]
        inside &= (column >= edge[0]) & (column <= edge[-1])
        at = numpy.searchsorted(edge, column, side="right") - 1 - (column == edge[-1])
        place = place * (len(edge) - 1) + at
    shape = [len(edge) - 1 for edge in edges]
    found = numpy.bincount(place[inside], None if weights is None else weights[inside], math.prod(shape))
    return found.reshape(shape).astype(numpy.float64)


def counted_within(input, bins, range, weight, density):
    """The histogram of points, which are the last axis of the input, and the edges of each of their numbers."""
    dtype, device = input.dtype, input.device
    points = input.detach().numpy().reshape(-1, input.shape[-1])
    given = isinstance(bins[0], oneflow.Tensor) and bins[0].ndim == 1
    if given:
        edges = [edge.detach().numpy() for edge in bins]
    else:
        ends = spans(points) if range is None else zip(range[::2], range[1::2], strict=True)
        sizes = [int(number) for number in bins]
        edges = [between(numpy.array(end, points.dtype), size) for end, size in zip(ends, sizes, strict=True)]
    weights = None if weight is None else weight.detach().numpy().reshape(-1)
    found = numbers_within(points, edges, weights)
    if density:
        found = found / found.sum()
        for axis, edge in enumerate(edges):
            found = found / numpy.diff(edge).reshape([-1] + [1] * (len(edges) - 1 - axis))
    shown = bins if given else [oneflow.tensor(edge, dtype=dtype, device=device) for edge in edges]
    return oneflow.tensor(found, dtype=dtype, device=device), tuple(shown)


@rule(torch.histogram, torch.Tensor.histogram)
def histogram(input, bins, *, range=None, weight=None, density=False):
    found, edges = counted_within(input.reshape(-1, 1), [bins], range, weight, density)
    return Histogram(found, edges[0])


@rule(torch.histogramdd)
def histogramdd(input, bins, range=None, weight=None, density=False):
    return Histogram(
        *counted_within(input, [bins] * input.shape[-1] if isinstance(bins, int) else bins, range, weight, density)
    )
