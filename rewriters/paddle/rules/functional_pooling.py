"""torch.nn.functional: pooling.

torch's average counts the padding unless told otherwise, Paddle's does not (``exclusive``).
"""

import paddle
import torch

from rewriters.rule import rule


def with_long_indices(found):
    """Paddle's indices are int32."""
    pooled, indices = found
    return pooled, indices.astype("int64")


@rule(torch.nn.functional.max_pool1d)
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if dilation != 1:
        raise NotImplementedError("Paddle's max_pool1d has no dilation; take the maximum over dilated slices")
    if return_indices:
        return with_long_indices(
            paddle.nn.functional.max_pool1d(
                input, kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode
            )
        )
    return paddle.nn.functional.max_pool1d(input, kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode)


@rule(torch.nn.functional.max_pool1d_with_indices)
def max_pool1d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    if dilation != 1:
        raise NotImplementedError("Paddle's max_pool1d has no dilation; take the maximum over dilated slices")
    return with_long_indices(
        paddle.nn.functional.max_pool1d(
            input, kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode
        )
    )


@rule(torch.nn.functional.max_pool2d)
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if dilation != 1:
        raise NotImplementedError("Paddle's max_pool2d has no dilation; take the maximum over dilated slices")
    if return_indices:
        return with_long_indices(
            paddle.nn.functional.max_pool2d(
                input, kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode
            )
        )
    return paddle.nn.functional.max_pool2d(input, kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode)


@rule(torch.nn.functional.max_pool2d_with_indices)
def max_pool2d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    if dilation != 1:
        raise NotImplementedError("Paddle's max_pool2d has no dilation; take the maximum over dilated slices")
    return with_long_indices(
        paddle.nn.functional.max_pool2d(
            input, kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode
        )
    )


@rule(torch.nn.functional.max_pool3d)
def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if dilation != 1:
        raise NotImplementedError("Paddle's max_pool3d has no dilation; take the maximum over dilated slices")
    if return_indices and ceil_mode:
        raise NotImplementedError("Paddle's max_pool3d aborts with return_mask and ceil_mode together; pad instead")
    if return_indices:
        return with_long_indices(
            paddle.nn.functional.max_pool3d(
                input, kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode
            )
        )
    return paddle.nn.functional.max_pool3d(input, kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode)


@rule(torch.nn.functional.max_pool3d_with_indices)
def max_pool3d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    if dilation != 1:
        raise NotImplementedError("Paddle's max_pool3d has no dilation; take the maximum over dilated slices")
    if ceil_mode:
        raise NotImplementedError("Paddle's max_pool3d aborts with return_mask and ceil_mode together; pad instead")
    return with_long_indices(
        paddle.nn.functional.max_pool3d(
            input, kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode
        )
    )


@rule(torch.avg_pool1d)
def avg_pool1d(input, kernel_size, stride=None, *, count_include_pad=True):
    return paddle.nn.functional.avg_pool1d(input, kernel_size, stride=stride)


@rule(torch.avg_pool1d)
def avg_pool1d(  # noqa: F811
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True
):
    return paddle.nn.functional.avg_pool1d(
        input, kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode, exclusive=not count_include_pad
    )


@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(input, kernel_size, stride=None, *, count_include_pad=True, divisor_override=None):
    return paddle.nn.functional.avg_pool2d(input, kernel_size, stride=stride, divisor_override=divisor_override)


@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(  # noqa: F811
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    return paddle.nn.functional.avg_pool2d(
        input,
        kernel_size,
        stride=stride,
        padding=padding,
        ceil_mode=ceil_mode,
        exclusive=divisor_override is None and not count_include_pad,
        divisor_override=divisor_override,
    )


@rule(torch.nn.functional.avg_pool3d)
def avg_pool3d(input, kernel_size, stride=None, *, count_include_pad=True, divisor_override=None):
    return paddle.nn.functional.avg_pool3d(input, kernel_size, stride=stride, divisor_override=divisor_override)


@rule(torch.nn.functional.avg_pool3d)
def avg_pool3d(  # noqa: F811
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    return paddle.nn.functional.avg_pool3d(
        input,
        kernel_size,
        stride=stride,
        padding=padding,
        ceil_mode=ceil_mode,
        exclusive=divisor_override is None and not count_include_pad,
        divisor_override=divisor_override,
    )


@rule(torch.adaptive_avg_pool1d)
def adaptive_avg_pool1d(input, output_size):
    return paddle.nn.functional.adaptive_avg_pool1d(input, output_size)


@rule(torch.nn.functional.adaptive_max_pool1d)
def adaptive_max_pool1d(input, output_size, return_indices=False):
    if return_indices:
        return with_long_indices(paddle.nn.functional.adaptive_max_pool1d(input, output_size, return_mask=True))
    return paddle.nn.functional.adaptive_max_pool1d(input, output_size)


@rule(torch.nn.functional.adaptive_max_pool1d_with_indices)
def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    return with_long_indices(paddle.nn.functional.adaptive_max_pool1d(input, output_size, return_mask=True))


@rule(torch.nn.functional.adaptive_avg_pool2d)
def adaptive_avg_pool2d(input, output_size):
    return paddle.nn.functional.adaptive_avg_pool2d(input, output_size)


@rule(torch.nn.functional.adaptive_max_pool2d)
def adaptive_max_pool2d(input, output_size, return_indices=False):
    if return_indices:
        return with_long_indices(paddle.nn.functional.adaptive_max_pool2d(input, output_size, return_mask=True))
    return paddle.nn.functional.adaptive_max_pool2d(input, output_size)


@rule(torch.nn.functional.adaptive_max_pool2d_with_indices)
def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    return with_long_indices(paddle.nn.functional.adaptive_max_pool2d(input, output_size, return_mask=True))


@rule(torch.nn.functional.adaptive_avg_pool3d)
def adaptive_avg_pool3d(input, output_size):
    return paddle.nn.functional.adaptive_avg_pool3d(input, output_size)


@rule(torch.nn.functional.adaptive_max_pool3d)
def adaptive_max_pool3d(input, output_size, return_indices=False):
    if return_indices:
        return with_long_indices(paddle.nn.functional.adaptive_max_pool3d(input, output_size, return_mask=True))
    return paddle.nn.functional.adaptive_max_pool3d(input, output_size)


@rule(torch.nn.functional.adaptive_max_pool3d_with_indices)
def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    return with_long_indices(paddle.nn.functional.adaptive_max_pool3d(input, output_size, return_mask=True))
