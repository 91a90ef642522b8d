"""Reductions of segments, grouped products, sparse diagonals: by loops over the parts."""

import paddle
import torch

from rewriters.rule import rule


def reduced(part, reduce, axis, initial):
    """One segment; what an empty one gives is the initial value, or the reduction's own."""
    least = {"sum": 0.0, "mean": float("nan"), "prod": 1.0, "max": -float("inf"), "min": float("inf")}[reduce]
    if part.shape[axis] == 0:
        shape = [size for place, size in enumerate(part.shape) if place != axis]
        return paddle.full(shape, least if initial is None else initial, part.dtype)
    if initial is not None:
        shape = list(part.shape)
        shape[axis] = 1
        first = paddle.full(shape, initial, part.dtype)
        if reduce == "mean":
            return (part.sum(axis=axis) + initial) / part.shape[axis]
        part = paddle.concat([first, part], axis=axis)
    return {"sum": paddle.sum, "mean": paddle.mean, "prod": paddle.prod, "max": paddle.amax, "min": paddle.amin}[
        reduce
    ](part, axis=axis)


@rule(torch.segment_reduce)
def segment_reduce(data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    if lengths is None and offsets is None:
        raise NotImplementedError("give lengths or offsets")
    if lengths is None:
        lengths = offsets[..., 1:] - offsets[..., :-1]
    axis = axis % data.ndim
    if axis == 0:
        parts = paddle.split(data, [*lengths.tolist(), data.shape[0] - int(lengths.sum())])[:-1] if data.size else []
        return paddle.stack([reduced(part, reduce, 0, initial) for part in parts])
    rows = [
        segment_reduce(data[row], reduce, lengths=lengths[row], axis=axis - 1, initial=initial)
        for row in range(data.shape[0])
    ]
    return paddle.stack(rows)
