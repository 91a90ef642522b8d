"""torch.gradient: derivatives of sampled functions."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.gradient)
def gradient(input, *, spacing=None, dim=None, edge_order=1):
    axes = range(input.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    steps = spacing if isinstance(spacing, (list, tuple)) else [1 if spacing is None else spacing] * len(axes)
    return tuple(
        slope(input.transpose(axis, 0), step, edge_order).transpose(axis, 0)
        for axis, step in zip(axes, steps, strict=True)
    )


def slope(x, step, edge_order):
    """The derivative along the first axis.

    step: between the samples, or a tensor of the places they stand at.
    """
    dtype = x.dtype if x.is_floating_point() else oneflow.float32
    x = x.to(dtype)
    if isinstance(step, oneflow.Tensor) and step.ndim:
        step = (step[1:] - step[:-1]).to(dtype)
    else:
        step = oneflow.full([x.shape[0] - 1], float(step), dtype=dtype, device=x.device)
    step = step.reshape([-1] + [1] * (x.ndim - 1))
    before, after = step[:-1], step[1:]
    inner = x[2:] * (before / (after * (before + after))) - x[:-2] * (after / (before * (before + after)))
    inner = inner + x[1:-1] * ((after - before) / (before * after))
    if edge_order == 1:
        first, last = (x[1:2] - x[:1]) / step[:1], (x[-1:] - x[-2:-1]) / step[-1:]
    else:
        first = edge(x[:1], x[1:2], x[2:3], step[:1], step[1:2])
        last = -edge(x[-1:], x[-2:-1], x[-3:-2], step[-1:], step[-2:-1])
    return oneflow.cat([first, inner, last] if x.shape[0] > 2 else [first, last])


def edge(a, b, c, near, far):
    """The derivative at the first of three samples, to the second order."""
    both = near + far
    return b * (both / (near * far)) - a * ((both + near) / (near * both)) - c * (near / (far * both))
