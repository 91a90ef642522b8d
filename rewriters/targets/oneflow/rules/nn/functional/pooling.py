"""torch.nn.functional: pooling. OneFlow's pools abort on inputs without a batch axis: those are given one where a call
has arguments beyond the common ones.
"""

import math

import oneflow
import torch

from rewriters.rule import Rank, family, rule


def batched(input, axes):
    """(the input with a batch axis, whether it had none)."""
    return (input.unsqueeze(0), True) if input.ndim == axes + 1 else (input, False)


def unbatched(found, alone):
    if isinstance(found, (tuple, list)):
        return tuple(part.squeeze(0) for part in found) if alone else tuple(found)
    return found.squeeze(0) if alone else found


def several(value, count):
    """An int for each axis."""
    found = [value] * count if isinstance(value, int) else list(value)
    return found * count if len(found) == 1 else found


@family("1d 2d 3d", "2 3 4")
@rule(torch.nn.functional.max_pool1d, torch.max_pool1d)
def max_pool1d(input: Rank[2], kernel_size, stride=None, padding=0):
    return oneflow.nn.functional.max_pool1d(input.unsqueeze(0), kernel_size, stride, padding).squeeze(0)


@family("1d 2d 3d")
@rule(torch.nn.functional.max_pool1d, torch.max_pool1d)
def max_pool1d(input, kernel_size, stride=None, padding=0):
    return oneflow.nn.functional.max_pool1d(input, kernel_size, stride, padding)


@family("1d 2d 3d", (", 1)", ", 2)", ", 3)"))
@rule(torch.nn.functional.max_pool1d, torch.max_pool1d)
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    input, alone = batched(input, 1)
    found = oneflow.nn.functional.max_pool1d(
        input, kernel_size, stride or kernel_size, padding, dilation, return_indices, ceil_mode
    )
    return unbatched(found, alone)


@rule(torch.nn.functional.max_pool1d_with_indices, torch.max_pool1d_with_indices)
def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    return max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


@family("2d 3d")
@rule(torch.nn.functional.max_pool2d_with_indices)
def max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    return max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, True)  # noqa: F821 - of the family


@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(input: Rank[3], kernel_size, stride=None):
    return oneflow.nn.functional.avg_pool2d(input.unsqueeze(0), kernel_size, stride).squeeze(0)


@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(input, kernel_size):
    return oneflow.nn.functional.avg_pool2d(input, kernel_size)


@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(input, kernel_size, stride):
    return oneflow.nn.functional.avg_pool2d(input, kernel_size, stride)


@family("2d 3d", "2 3")
@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    input, alone = batched(input, 2)
    found = average(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, 2)
    return unbatched(found, alone)


def average(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, axes):
    """OneFlow's own, with torch's shorter ways to write its arguments."""
    pool = {
        1: oneflow.nn.functional.avg_pool1d, 2: oneflow.nn.functional.avg_pool2d, 3: oneflow.nn.functional.avg_pool3d,
    }[axes]  # fmt: skip
    kernel = several(kernel_size, axes)
    steps = several(stride, axes) if stride else kernel
    sides = several(padding, axes)
    if axes == 1:
        return pool(input, kernel, steps, sides, ceil_mode, count_include_pad)
    return pool(
        input, kernel, steps, sides, ceil_mode=ceil_mode, count_include_pad=count_include_pad,
        divisor_override=divisor_override or 0,
    )  # fmt: skip


@rule(torch.nn.functional.adaptive_avg_pool2d)
def adaptive_avg_pool2d(input: Rank[3], output_size: int):
    return oneflow.nn.functional.adaptive_avg_pool2d(input.unsqueeze(0), output_size).squeeze(0)


@rule(torch.nn.functional.adaptive_avg_pool2d)
def adaptive_avg_pool2d(input, output_size: int):
    return oneflow.nn.functional.adaptive_avg_pool2d(input, output_size)


@rule(torch.nn.functional.adaptive_avg_pool2d)
def adaptive_avg_pool2d(input, output_size):
    if output_size in ((1, 1), [1, 1]):
        return oneflow.nn.functional.adaptive_avg_pool2d(input, output_size)
    input, alone = batched(input, 2)
    return unbatched(oneflow.nn.functional.adaptive_avg_pool2d(input, sizes(input, output_size, 2)), alone)


@rule(torch.nn.functional.adaptive_avg_pool3d)
def adaptive_avg_pool3d(input, output_size):
    input, alone = batched(input, 3)
    return unbatched(oneflow.nn.functional.adaptive_avg_pool3d(input, sizes(input, output_size, 3)), alone)


def sizes(input, output_size, axes):
    """For each axis; None keeps an axis as it is."""
    own = input.shape[input.ndim - axes :]
    return [own[n] if size is None else size for n, size in enumerate(several(output_size, axes))]


@rule(torch.nn.functional.adaptive_max_pool1d, torch.adaptive_max_pool1d)
def adaptive_max_pool1d(input, output_size, return_indices=False):
    input, alone = batched(input, 1)
    size = output_size if isinstance(output_size, int) else output_size[0]
    found = oneflow.nn.functional.adaptive_max_pool1d(input, size, True)
    return unbatched(found if return_indices else found[0], alone)


@family("2d 3d", "2 3")
@rule(torch.nn.functional.adaptive_max_pool2d)
def adaptive_max_pool2d(input, output_size, return_indices=False):
    input, alone = batched(input, 2)
    found = oneflow.nn.functional.adaptive_max_pool2d(input, sizes(input, output_size, 2), True)
    return unbatched(found if return_indices else found[0], alone)


@family("1d 2d 3d")
@rule(torch.nn.functional.adaptive_max_pool1d_with_indices)
def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    return adaptive_max_pool1d(input, output_size, True)


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.functional.lp_pool1d)
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return power_pool(input, norm_type, kernel_size, stride, ceil_mode, 1)


def power_pool(input, norm_type, kernel_size, stride, ceil_mode, axes):
    """The root of the sum of powers: an average times the number of elements."""
    rows, alone = batched(input, axes)
    mean = average(oneflow.pow(rows, norm_type), kernel_size, stride, 0, ceil_mode, True, None, axes)
    sign = oneflow.sign(mean) * oneflow.nn.functional.relu(oneflow.abs(mean))
    return unbatched(oneflow.pow(sign * math.prod(several(kernel_size, axes)), 1.0 / norm_type), alone)


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.functional.max_unpool1d)
def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return unpooled(input, indices, kernel_size, stride, padding, output_size, 1)


def unpooled(input, indices, kernel_size, stride, padding, output_size, axes):
    """Each value at its index, zeros elsewhere."""
    kernel, sides = several(kernel_size, axes), several(padding, axes)
    steps = several(stride, axes) if stride else kernel
    lead = list(input.shape[: input.ndim - axes])
    size = [(input.shape[input.ndim - axes + n] - 1) * steps[n] - 2 * sides[n] + kernel[n] for n in range(axes)]
    if output_size is not None:
        size = list(output_size)[len(output_size) - axes :]
    empty = oneflow.zeros([*lead, math.prod(size)], dtype=input.dtype, device=input.device)
    if 0 in input.shape:
        return empty.reshape([*lead, *size])
    flat = [*lead, -1]
    return oneflow.scatter(empty, len(lead), indices.reshape(flat), input.reshape(flat)).reshape([*lead, *size])
