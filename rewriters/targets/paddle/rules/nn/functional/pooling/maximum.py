"""torch.nn.functional: maxima over windows.

Paddle's take a batch only: where the rank of the input is known, one sample gets a batch axis.
"""

import paddle
import torch

from rewriters.rule import Rank, family, rule


def with_long_indices(found):
    """Paddle's indices are int32."""
    pooled, indices = found
    return pooled, indices.astype("int64")


def each(value, dims):
    """One number for each axis."""
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return values * dims if len(values) == 1 else values


def max_over_windows(input, dims, kernel_size, stride, padding, dilation, ceil_mode):
    """Max pooling out of gathers, and the flat positions of the maxima: Paddle's has no dilation."""
    kernel, padding, dilation = each(kernel_size, dims), each(padding, dims), each(dilation, dims)
    stride = each(stride, dims) if stride else kernel
    sizes, lead = input.shape[-dims:], input.shape[:-dims]
    floating = input.is_floating_point()
    least = float("-inf") if floating else paddle.iinfo(input.dtype).min
    windows, inside, flat, counts = input, paddle.full([], True), paddle.zeros([], "int64"), []
    for axis in range(dims):
        room = sizes[axis] + 2 * padding[axis] - dilation[axis] * (kernel[axis] - 1) - 1
        count = (room + (stride[axis] - 1 if ceil_mode else 0)) // stride[axis] + 1
        # no window begins in the padding behind the last element
        if ceil_mode and (count - 1) * stride[axis] >= sizes[axis] + padding[axis]:
            count -= 1
        starts = paddle.arange(count).unsqueeze(1) * stride[axis] - padding[axis]
        place = (starts + paddle.arange(kernel[axis]) * dilation[axis]).flatten()
        windows = paddle.index_select(windows, place.clip(0, sizes[axis] - 1), axis=len(lead) + axis)
        inside = inside.unsqueeze(-1) & (place >= 0) & (place < sizes[axis])
        flat = flat.unsqueeze(-1) * sizes[axis] + place
        counts += [count, kernel[axis]]
    order = [2 * axis for axis in range(dims)] + [2 * axis + 1 for axis in range(dims)]
    windows = paddle.where(inside, windows, paddle.full([], least, input.dtype)).reshape([*lead, *counts])
    windows = windows.transpose([*range(len(lead)), *(len(lead) + axis for axis in order)]).flatten(len(lead) + dims)
    flat = flat.reshape(counts).transpose(order).flatten(dims)
    chosen = windows.argmax(axis=-1, keepdim=True)
    indices = paddle.take_along_axis(flat.expand(windows.shape), chosen, axis=-1).squeeze(-1)
    return paddle.take_along_axis(windows, chosen, axis=-1).squeeze(-1), indices


@family("1d 2d", "2 3", (", 1,", ", 2,"))
@rule(torch.nn.functional.max_pool1d, torch.max_pool1d)
def max_pool1d(input: Rank[2], kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if (
        dilation != 1
        or return_indices
        or (
            ceil_mode
            and (padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3)))
        )
    ):  # Paddle has windows of padding alone
        found = max_over_windows(input, 1, kernel_size, stride, padding, dilation, ceil_mode)
        return found if return_indices else found[0]
    return paddle.nn.functional.max_pool1d(
        input.unsqueeze(0), kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode
    ).squeeze(0)


@family("1d 2d", (", 1,", ", 2,"))
@rule(torch.nn.functional.max_pool1d, torch.max_pool1d)
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if dilation != 1 or (
        ceil_mode
        and (padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3)))
    ):
        found = max_over_windows(input, 1, kernel_size, stride, padding, dilation, ceil_mode)
        return found if return_indices else found[0]
    if return_indices:
        return with_long_indices(
            paddle.nn.functional.max_pool1d(
                input, kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode
            )
        )
    return paddle.nn.functional.max_pool1d(input, kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode)


@family("1d 2d 3d", "2 3 4", (", 1,", ", 2,", ", 3,"))
@rule(torch.nn.functional.max_pool1d_with_indices)
def max_pool1d_with_indices(
    input: Rank[2], kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    return max_over_windows(input, 1, kernel_size, stride, padding, dilation, ceil_mode)


@family("1d 2d", (", 1,", ", 2,"))
@rule(torch.nn.functional.max_pool1d_with_indices)
def max_pool1d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    if dilation != 1 or (
        ceil_mode
        and (padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3)))
    ):
        return max_over_windows(input, 1, kernel_size, stride, padding, dilation, ceil_mode)
    return with_long_indices(
        paddle.nn.functional.max_pool1d(
            input, kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode
        )
    )


@rule(torch.nn.functional.max_pool3d, torch.max_pool3d)
def max_pool3d(input: Rank[4], kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if dilation != 1 or return_indices or ceil_mode:
        found = max_over_windows(input, 3, kernel_size, stride, padding, dilation, ceil_mode)
        return found if return_indices else found[0]
    return paddle.nn.functional.max_pool3d(input.unsqueeze(0), kernel_size, stride=stride, padding=padding).squeeze(0)


@rule(torch.nn.functional.max_pool3d, torch.max_pool3d)
def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if dilation != 1 or ceil_mode:  # Paddle's counts other windows in ceil_mode
        found = max_over_windows(input, 3, kernel_size, stride, padding, dilation, ceil_mode)
        return found if return_indices else found[0]
    if return_indices:
        return with_long_indices(
            paddle.nn.functional.max_pool3d(input, kernel_size, stride=stride, padding=padding, return_mask=True)
        )
    return paddle.nn.functional.max_pool3d(input, kernel_size, stride=stride, padding=padding)


@rule(torch.nn.functional.max_pool3d_with_indices)
def max_pool3d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    if dilation != 1 or ceil_mode:
        return max_over_windows(input, 3, kernel_size, stride, padding, dilation, ceil_mode)
    return with_long_indices(
        paddle.nn.functional.max_pool3d(input, kernel_size, stride=stride, padding=padding, return_mask=True)
    )
