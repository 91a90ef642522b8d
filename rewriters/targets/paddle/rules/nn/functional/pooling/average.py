"""torch.nn.functional: averages over windows.

torch's average counts the padding unless told otherwise, Paddle's does not (``exclusive``). Paddle's take a batch only:
where the rank of the input is known, one sample gets a batch axis.
"""

import paddle
import torch

from rewriters.rule import Rank, family, rule
from rewriters.targets.paddle.rules.nn.functional.pooling.windows import averages_begun_inside


def each_axis(value, dims):
    """One number for each axis."""
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return values * dims if len(values) == 1 else values


def divided_windows(input, dims, kernel_size, stride, padding, divisor):
    """With ceil_mode Paddle's own divides what is cut off at the border by its size as well."""
    kernel, padding = each_axis(kernel_size, dims), each_axis(padding, dims)
    stride = each_axis(stride, dims) if stride else kernel
    amounts = []
    for axis in reversed(range(dims)):
        size = input.shape[axis - dims]
        room = size + 2 * padding[axis] - kernel[axis]
        steps = -(-room // stride[axis])
        if steps * stride[axis] >= size + padding[axis]:  # no window begins behind the last element
            steps -= 1
        amounts += [padding[axis], padding[axis] + max(0, steps * stride[axis] - room)]
    padded = paddle.compat.nn.functional.pad(input, amounts)
    if dims == 2:
        return paddle.nn.functional.avg_pool2d(padded, kernel, stride=stride, divisor_override=divisor)
    return paddle.nn.functional.avg_pool3d(padded, kernel, stride=stride, divisor_override=divisor)


@family("2d 3d", "2 3", "3 4")
@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(
    input: Rank[3], kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    if ceil_mode and divisor_override is not None:
        return divided_windows(input.unsqueeze(0), 2, kernel_size, stride, padding, divisor_override).squeeze(0)
    if ceil_mode and (
        padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3))
    ):
        return averages_begun_inside(input.unsqueeze(0), 2, kernel_size, stride, padding, count_include_pad).squeeze(0)
    return paddle.nn.functional.avg_pool2d(
        input.unsqueeze(0),
        kernel_size,
        stride=stride,
        padding=padding,
        ceil_mode=ceil_mode,
        exclusive=divisor_override is None and not count_include_pad,
        divisor_override=divisor_override,
    ).squeeze(0)


@family("2d 3d")
@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(input, kernel_size, stride=None, *, count_include_pad=True, divisor_override=None):
    return paddle.nn.functional.avg_pool2d(input, kernel_size, stride=stride, divisor_override=divisor_override)


@family("2d 3d", "2 3")
@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    if ceil_mode and divisor_override is not None:
        return divided_windows(input, 2, kernel_size, stride, padding, divisor_override)
    if ceil_mode and (
        padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3))
    ):
        return averages_begun_inside(input, 2, kernel_size, stride, padding, count_include_pad)
    return paddle.nn.functional.avg_pool2d(
        input,
        kernel_size,
        stride=stride,
        padding=padding,
        ceil_mode=ceil_mode,
        exclusive=divisor_override is None and not count_include_pad,
        divisor_override=divisor_override,
    )
