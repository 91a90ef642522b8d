"""torch.gradient: derivatives of sampled functions."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.gradient)
def gradient(input, *, spacing=None, dim=None, edge_order=1):
    axes = range(input.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    steps = spacing if isinstance(spacing, (list, tuple)) else [1 if spacing is None else spacing] * len(axes)
    return tuple(
        paddle.moveaxis(slope(paddle.moveaxis(input, axis, 0), step, edge_order), 0, axis)
        for axis, step in zip(axes, steps, strict=True)
    )


def slope(x, step, edge_order):
    """The derivative along the first axis.

    step: between the samples, or a tensor of the places they stand at.
    """
    if isinstance(step, paddle.Tensor):
        step = paddle.diff(step).astype(x.dtype)
    else:
        step = paddle.full([x.shape[0] - 1], step, dtype=x.dtype)
    step = step.reshape([-1] + [1] * (x.ndim - 1))
    before, after = step[:-1], step[1:]
    inner = x[2:] * (before / (after * (before + after))) - x[:-2] * (after / (before * (before + after)))
    inner = inner + x[1:-1] * ((after - before) / (before * after))
    if edge_order == 1:
        return paddle.concat([(x[1:2] - x[:1]) / step[:1], inner, (x[-1:] - x[-2:-1]) / step[-1:]])
    first = edge(x[:1], x[1:2], x[2:3], step[:1], step[1:2])
    return paddle.concat([first, inner, -edge(x[-1:], x[-2:-1], x[-3:-2], step[-1:], step[-2:-1])])


def edge(a, b, c, near, far):
    """The derivative at the first of three samples, to the second order."""
    both = near + far
    return b * (both / (near * far)) - a * ((both + near) / (near * both)) - c * (near / (far * both))
