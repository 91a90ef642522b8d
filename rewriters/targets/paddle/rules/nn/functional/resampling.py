"""torch.nn.functional: resampling."""

import math

import paddle
import torch

from rewriters.rule import Rank, rule


def scaled_sizes(input, scale_factor):
    """The sizes of the result where a factor is given, or one for each axis."""
    sizes = input.shape[2:]
    factors = scale_factor if isinstance(scale_factor, (list, tuple)) else [scale_factor] * len(sizes)
    return [math.floor(size * factor) for size, factor in zip(sizes, factors, strict=True)]


def nearest_exact(input, size, scale_factor, recompute_scale_factor):
    """The pixels whose centres lie nearest; Paddle's nearest goes by their corners."""
    dims = input.ndim - 2
    if size is None:
        sizes = scaled_sizes(input, scale_factor)
    else:
        sizes = list(size) if isinstance(size, (list, tuple)) else [size] * dims
    factors = scale_factor if isinstance(scale_factor, (list, tuple)) else [scale_factor] * dims
    for axis in range(dims):
        length = input.shape[2 + axis]
        step = length / sizes[axis] if size is not None or recompute_scale_factor else 1 / factors[axis]
        centres = (paddle.arange(sizes[axis], dtype="float32") + 0.5) * step
        input = paddle.index_select(input, centres.astype("int64").clip(max=length - 1), axis=2 + axis)
    return input


def nearest_of_line(input, size, scale_factor, recompute_scale_factor):
    """(N, C, L) as images of one row, which Paddle's takes."""
    if size is not None:
        size = [1, *size] if isinstance(size, (list, tuple)) else [1, size]
    if scale_factor is not None:
        scale_factor = [1, *scale_factor] if isinstance(scale_factor, (list, tuple)) else [1, scale_factor]
    return paddle.nn.functional.interpolate(
        input.unsqueeze(2), size=size, scale_factor=scale_factor, recompute_scale_factor=recompute_scale_factor
    ).squeeze(2)


@rule(torch.nn.functional.interpolate, torch.nn.functional.upsample)
def interpolate(
    input: Rank[3],
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    if mode == "nearest-exact":
        return nearest_exact(input, size, scale_factor, recompute_scale_factor)
    if mode == "nearest":  # Paddle's takes images and volumes only
        if isinstance(size, int):
            return paddle.nn.functional.interpolate(input.unsqueeze(2), size=[1, size]).squeeze(2)
        return nearest_of_line(input, size, scale_factor, recompute_scale_factor)
    if isinstance(size, int):
        size = [size]
    return paddle.nn.functional.interpolate(
        input,
        size=scaled_sizes(input, scale_factor) if mode == "area" and size is None else size,
        scale_factor=None if mode == "area" else scale_factor,
        mode=mode,
        align_corners=False if align_corners is None else align_corners,
        recompute_scale_factor=recompute_scale_factor,
    )


@rule(torch.nn.functional.interpolate, torch.nn.functional.upsample)
def interpolate(
    input,
    size: int,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    if mode == "nearest-exact":
        return nearest_exact(input, size, scale_factor, recompute_scale_factor)
    return paddle.nn.functional.interpolate(
        input,
        size=[size] * (input.ndim - 2),
        scale_factor=scale_factor,
        mode=mode,
        align_corners=False if align_corners is None else align_corners,
        antialias=antialias,
    )


@rule(torch.nn.functional.interpolate, torch.nn.functional.upsample)
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    if mode == "nearest-exact":
        return nearest_exact(input, size, scale_factor, recompute_scale_factor)
    if mode == "area" and scale_factor is not None:  # Paddle's wants the size
        return paddle.nn.functional.interpolate(input, size=scaled_sizes(input, scale_factor), mode=mode)
    return paddle.nn.functional.interpolate(
        input,
        size=size,
        scale_factor=scale_factor,
        mode=mode,
        align_corners=False if align_corners is None else align_corners,
        recompute_scale_factor=recompute_scale_factor,
        antialias=antialias,
    )


@rule(torch.nn.functional.upsample_bilinear)
def upsample_bilinear(input, size=None, scale_factor=None):
    if isinstance(size, int):
        size = [size, size]
    return paddle.nn.functional.interpolate(
        input, size=size, scale_factor=scale_factor, mode="bilinear", align_corners=True
    )


@rule(torch.nn.functional.upsample_nearest)
def upsample_nearest(input: Rank[3], size=None, scale_factor=None):
    return nearest_of_line(input, size, scale_factor, None)


@rule(torch.nn.functional.upsample_nearest)
def upsample_nearest(input, size=None, scale_factor=None):
    if isinstance(size, int):
        size = [size] * (input.ndim - 2)
    return paddle.nn.functional.interpolate(input, size=size, scale_factor=scale_factor)
