"""torch.nn.functional: fractional pooling, over windows that differ from channel to channel."""

import math

import oneflow
import torch

from rewriters.rule import family, rule


def fractional_windows(input, dims, kernel_size, output_size, output_ratio, samples):
    """The maxima over windows of torch's own choice, and their flat positions."""
    alone = input.ndim == dims + 1
    input = input.unsqueeze(0) if alone else input
    sizes, lead = list(input.shape[2:]), list(input.shape[:2])
    kernel = list(kernel_size) if isinstance(kernel_size, (list, tuple)) else [kernel_size] * dims
    if output_size is None:
        ratios = list(output_ratio) if isinstance(output_ratio, (list, tuple)) else [output_ratio] * dims
        counts = [int(size * ratio) for size, ratio in zip(sizes, ratios, strict=True)]
    else:
        counts = list(output_size) if isinstance(output_size, (list, tuple)) else [output_size] * dims
    if samples is None:
        samples = oneflow.rand(*lead, dims, dtype=input.dtype, device=input.device)
    samples = samples.reshape(-1)[: math.prod(lead) * dims].reshape(*lead, dims)  # more are given than one image needs
    if 0 in lead:
        found = (oneflow.zeros(*lead, *counts, dtype=dtype) for dtype in (input.dtype, oneflow.int64))
        return tuple(part.squeeze(0) if alone else part for part in found)
    flat = oneflow.zeros(*lead, *[1] * (2 * dims), dtype=oneflow.int64, device=input.device)
    for axis in range(dims):
        # of an image the first number is for the columns, of a volume for the depth
        sample = samples[:, :, 1 - axis if dims == 2 else axis].unsqueeze(-1)
        last = sizes[axis] - kernel[axis]
        step = last / max(1, counts[axis] - 1)
        ends = oneflow.full((*lead, 1), last, dtype=oneflow.int64, device=input.device)
        if counts[axis] > 1:
            turns = oneflow.arange(counts[axis] - 1, device=input.device).to(sample.dtype)
            starts = ((turns + sample) * step).to(oneflow.int64) - (sample * step).to(oneflow.int64)
            ends = oneflow.cat([starts, ends], -1)
        inside = oneflow.arange(kernel[axis], dtype=oneflow.int64, device=input.device)
        place = (ends.unsqueeze(-1) + inside) * math.prod(sizes[axis + 1 :])
        around = [1] * axis, [1] * (dims - 1 - axis)
        flat = flat + place.reshape(*lead, *around[0], counts[axis], *around[1], *around[0], kernel[axis], *around[1])
    flat = flat.reshape(*lead, *counts, -1)
    pixels = input.reshape(*lead, -1)
    windows = oneflow.gather(pixels, 2, flat.reshape(*lead, -1)).reshape(flat.shape)
    chosen = oneflow.argmax(windows, dim=-1, keepdim=True)
    found = oneflow.gather(windows, dims + 2, chosen).squeeze(-1), oneflow.gather(flat, dims + 2, chosen).squeeze(-1)
    return tuple(part.squeeze(0) for part in found) if alone else found


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
