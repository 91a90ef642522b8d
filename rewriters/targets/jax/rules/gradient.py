"""torch.gradient: derivatives of sampled functions."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.promoted_dtypes import inexact


@rule(torch.gradient)
def gradient(input, *, spacing=None, dim=None, edge_order=1):
    axes = range(input.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    steps = spacing if isinstance(spacing, (list, tuple)) else [1 if spacing is None else spacing] * len(axes)
    return tuple(
        jnp.moveaxis(slope(jnp.moveaxis(inexact(input), axis, 0), step, edge_order), 0, axis)
        for axis, step in zip(axes, steps, strict=True)
    )


def slope(x, step, edge_order):
    """The derivative along the first axis.

    step: between the samples, or an array of the places they stand at.
    """
    if isinstance(step, jax.Array) and step.ndim:
        step = jnp.diff(step).astype(x.dtype)
    else:
        step = jnp.full((x.shape[0] - 1,), step, x.dtype)
    step = step.reshape(-1, *[1] * (x.ndim - 1))
    before, after = step[:-1], step[1:]
    inner = x[2:] * (before / (after * (before + after))) - x[:-2] * (after / (before * (before + after)))
    inner = inner + x[1:-1] * ((after - before) / (before * after))
    if edge_order == 1:
        return jnp.concatenate([(x[1:2] - x[:1]) / step[:1], inner, (x[-1:] - x[-2:-1]) / step[-1:]])
    first = edge(x[:1], x[1:2], x[2:3], step[:1], step[1:2])
    return jnp.concatenate([first, inner, -edge(x[-1:], x[-2:-1], x[-3:-2], step[-1:], step[-2:-1])])


def edge(a, b, c, near, far):
    """The derivative at the first of three samples, to the second order."""
    both = near + far
    return b * (both / (near * far)) - a * ((both + near) / (near * both)) - c * (near / (far * both))
