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


def to_one(input, axis, place, cubic):
    """An axis of an image resized to 1: what lies at a place between its pixels."""
    place = place if cubic else max(place, 0.0)
    first = math.floor(place)
    near, far = place - first, 1 - place + first
    weights = [far, near]
    if cubic:
        inner = [(1.25 * x - 2.25) * x * x + 1 for x in (near, far)]
        outer = [((-0.75 * x + 3.75) * x - 6) * x + 3 for x in (1 + near, 1 + far)]
        weights = [outer[0], inner[0], inner[1], outer[1]]
    begin = first - 1 if cubic else first
    rows = [min(max(begin + step, 0), input.shape[axis] - 1) for step in range(len(weights))]
    shape = [len(weights) if index == axis else 1 for index in range(input.ndim)]
    taken = paddle.index_select(input, paddle.to_tensor(rows), axis=axis)
    return (taken * paddle.to_tensor(weights, dtype=input.dtype).reshape(shape)).sum(axis, keepdim=True)


def resampled(input, size, scale_factor, mode, recompute_scale_factor):
    """An image of which an axis may become 1: Paddle takes the first pixel there, torch what lies in the middle."""
    sizes = scaled_sizes(input, scale_factor) if size is None else size
    sizes = list(sizes) if isinstance(sizes, (list, tuple)) else [sizes] * 2
    factors = list(scale_factor) if isinstance(scale_factor, (list, tuple)) else [scale_factor] * 2
    for axis in (2, 3):
        if sizes[axis - 2] == 1 and input.shape[axis] > 1:
            given = size is None and not recompute_scale_factor
            step = 1 / factors[axis - 2] if given else input.shape[axis]
            input = to_one(input, axis, 0.5 * step - 0.5, mode == "bicubic")
            factors[axis - 2] = 1
    return paddle.nn.functional.interpolate(
        input,
        size=None if size is None else sizes,
        scale_factor=factors if size is None else None,
        mode=mode,
        recompute_scale_factor=recompute_scale_factor,
    )


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
    if size == 1 and mode in ("bilinear", "bicubic") and not align_corners and not antialias:
        return resampled(input, size, None, mode, None)
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
    may_shrink = scale_factor not in (1, 2, 3, 4, 8, 16, 32) and (size is None or 1 in size)
    if mode in ("bilinear", "bicubic") and not align_corners and not antialias and may_shrink:
        return resampled(input, size, scale_factor, mode, recompute_scale_factor)
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
