"""Fractional pooling. Paddle's own takes the size of the result alone, and one random number for all channels."""

import math

import paddle
import torch

from rewriters.rule import Rank, family, rule


def fractional_windows(input, dims, kernel_size, output_size, output_ratio, samples):
    """The maxima over windows that differ from channel to channel, and their flat positions: torch's own choice."""
    sizes, lead = input.shape[-dims:], input.shape[:-dims]
    kernel = list(kernel_size) if isinstance(kernel_size, (list, tuple)) else [kernel_size] * dims
    if output_size is None:
        ratios = list(output_ratio) if isinstance(output_ratio, (list, tuple)) else [output_ratio] * dims
        counts = [int(size * ratio) for size, ratio in zip(sizes, ratios, strict=True)]
    else:
        counts = list(output_size) if isinstance(output_size, (list, tuple)) else [output_size] * dims
    if samples is None:
        samples = paddle.rand([*lead, dims], dtype=input.dtype)
    samples = samples.flatten()[: math.prod(lead) * dims].reshape([*lead, dims])  # more are given than one sample needs
    flat, strides = paddle.zeros([], "int64"), [math.prod(sizes[axis + 1 :]) for axis in range(dims)]
    for axis in range(dims):
        # of an image the first number is for the columns, of a volume for the depth
        sample = samples[..., 1 - axis if dims == 2 else axis].unsqueeze(-1)
        last = sizes[axis] - kernel[axis]
        step = last / max(1, counts[axis] - 1)
        starts = ((paddle.arange(counts[axis] - 1, dtype=sample.dtype) + sample) * step).astype("int64") - (
            sample * step
        ).astype("int64")
        starts = paddle.concat([starts, paddle.full([*lead, 1], last, "int64")], axis=-1)
        place = starts.unsqueeze(-1) + paddle.arange(kernel[axis])
        around = [1] * (2 * axis), [1] * (2 * (dims - 1 - axis))
        flat = flat + place.reshape([*lead, *around[0], counts[axis], kernel[axis], *around[1]]) * strides[axis]
    order = [2 * axis for axis in range(dims)] + [2 * axis + 1 for axis in range(dims)]
    flat = flat.transpose([*range(len(lead)), *(len(lead) + axis for axis in order)]).flatten(len(lead) + dims)
    pixels = input.flatten(len(lead))
    windows = paddle.take_along_axis(pixels, flat.flatten(len(lead)), axis=-1, broadcast=False).reshape(flat.shape)
    chosen = windows.argmax(axis=-1, keepdim=True)
    indices = paddle.take_along_axis(flat, chosen, axis=-1, broadcast=False).squeeze(-1)
    return paddle.take_along_axis(windows, chosen, axis=-1, broadcast=False).squeeze(-1), indices


@family("2d 3d", "2 3", "3 4")
@rule(torch.nn.functional.fractional_max_pool2d)
def fractional_max_pool2d(
    input: Rank[3], kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    found = fractional_windows(input.unsqueeze(0), 2, kernel_size, output_size, output_ratio, _random_samples)
    return (found[0].squeeze(0), found[1].squeeze(0)) if return_indices else found[0].squeeze(0)


@family("2d 3d", "2 3")
@rule(torch.nn.functional.fractional_max_pool2d)
def fractional_max_pool2d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    found = fractional_windows(input, 2, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


@family("2d 3d", "2 3")
@rule(torch.nn.functional.fractional_max_pool2d_with_indices)
def fractional_max_pool2d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    return fractional_windows(input, 2, kernel_size, output_size, output_ratio, _random_samples)
