"""Reductions of segments: by a loop over the parts."""

import jax.numpy as jnp
import torch

from rewriters.rule import rule

REDUCTIONS = {"sum": jnp.sum, "mean": jnp.mean, "prod": jnp.prod, "max": jnp.max, "min": jnp.min}
EMPTY = {"sum": 0.0, "mean": float("nan"), "prod": 1.0, "max": -float("inf"), "min": float("inf")}


def reduced_part(part, reduce, initial):
    """One segment along the first axis; what an empty one gives is the initial value, or the reduction's own."""
    if part.shape[0] == 0:
        return jnp.full(part.shape[1:], EMPTY[reduce] if initial is None else initial, part.dtype)
    if initial is not None:
        if reduce == "mean":
            return (part.sum(axis=0) + initial) / part.shape[0]
        part = jnp.concatenate([jnp.full((1, *part.shape[1:]), initial, part.dtype), part])
    return REDUCTIONS[reduce](part, axis=0)


@rule(torch.segment_reduce)
def segment_reduce(data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    if lengths is None and offsets is None:
        raise NotImplementedError("give lengths or offsets")
    if lengths is None:
        lengths = jnp.diff(offsets)
    if axis % data.ndim:
        rows = [
            segment_reduce(row, reduce, lengths=own, axis=axis % data.ndim - 1, initial=initial)
            for row, own in zip(data, lengths, strict=True)
        ]
        return jnp.stack(rows)
    ends = jnp.cumsum(lengths).tolist()
    parts = [
        reduced_part(data[end - length : end], reduce, initial)
        for end, length in zip(ends, lengths.tolist(), strict=True)
    ]
    return jnp.stack(parts) if parts else data[:0]
