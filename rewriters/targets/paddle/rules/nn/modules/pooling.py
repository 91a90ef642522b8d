"""Pooling, unpooling and adaptive pooling: modules.

torch's average counts the padding unless told otherwise, Paddle's does not (``exclusive``).
"""

import paddle
import torch

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.nn.functional.pooling.fractional import fractional_windows
from rewriters.targets.paddle.rules.nn.functional.pooling.inverse import norms_of_windows
from rewriters.targets.paddle.rules.nn.functional.pooling.windows import begun_inside


@rule(torch.nn.MaxPool1d)
def MaxPool1d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    if dilation != 1:
        raise NotImplementedError("Paddle's MaxPool1D has no dilation; take the maximum over dilated slices")
    if return_indices:
        return indices_in_64_bits(
            paddle.nn.MaxPool1D(kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode)
        )
    if ceil_mode and (
        padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3))
    ):
        return pooling_inside(
            paddle.nn.MaxPool1D(kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode),
            1,
            kernel_size,
            stride,
            padding,
        )
    return paddle.nn.MaxPool1D(kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode)


def pooling_inside(layer, dims, kernel_size, stride, padding):
    """The layer, whose results are without such windows."""

    def cut(_, inputs, pooled):
        if isinstance(pooled, tuple):
            return tuple(begun_inside(part, inputs[0], dims, kernel_size, stride, padding) for part in pooled)
        return begun_inside(pooled, inputs[0], dims, kernel_size, stride, padding)

    layer.register_forward_post_hook(cut)
    return layer


def indices_in_64_bits(layer):
    """Paddle's are of 32 bits."""
    layer.register_forward_post_hook(lambda _, inputs, pooled: (pooled[0], pooled[1].astype("int64")))
    return layer


def remembering(layer, dilation):
    layer.dilation = dilation
    return layer


@rule(torch.nn.MaxPool2d)
def MaxPool2d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    if dilation != 1:
        if dilation not in ((1, 1), [1, 1]):
            raise NotImplementedError("Paddle's MaxPool2D has no dilation; use unfold, or max_pool over dilated slices")
        return remembering(MaxPool2d(kernel_size, stride, padding, 1, return_indices, ceil_mode), dilation)
    if return_indices:
        return indices_in_64_bits(
            paddle.nn.MaxPool2D(kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode)
        )
    if ceil_mode and (
        padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3))
    ):
        return pooling_inside(
            paddle.nn.MaxPool2D(kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode),
            2,
            kernel_size,
            stride,
            padding,
        )
    return paddle.nn.MaxPool2D(kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode)


@rule(torch.nn.MaxPool3d)
def MaxPool3d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    if dilation != 1:
        if dilation not in ((1, 1, 1), [1, 1, 1]):
            raise NotImplementedError("Paddle's MaxPool3D has no dilation; take the maximum over dilated slices")
        return remembering(MaxPool3d(kernel_size, stride, padding, 1, return_indices, ceil_mode), dilation)
    if return_indices and ceil_mode:
        raise NotImplementedError("Paddle's MaxPool3D aborts with return_mask and ceil_mode together; pad instead")
    if return_indices:
        return indices_in_64_bits(
            paddle.nn.MaxPool3D(kernel_size, stride=stride, padding=padding, return_mask=True, ceil_mode=ceil_mode)
        )
    if ceil_mode and (
        padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3))
    ):
        return pooling_inside(
            paddle.nn.MaxPool3D(kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode),
            3,
            kernel_size,
            stride,
            padding,
        )
    return paddle.nn.MaxPool3D(kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode)


@rule(torch.nn.AvgPool1d)
def AvgPool1d(kernel_size, stride=None, *, count_include_pad=True):
    return paddle.nn.AvgPool1D(kernel_size, stride=stride)


@rule(torch.nn.AvgPool1d)
def AvgPool1d(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    layer = paddle.nn.AvgPool1D(
        kernel_size, stride=stride, padding=padding, exclusive=not count_include_pad, ceil_mode=ceil_mode
    )
    if ceil_mode and (
        padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3))
    ):
        return pooling_inside(layer, 1, kernel_size, stride, padding)
    return layer


@family("2d 3d")
@rule(torch.nn.AvgPool2d)
def AvgPool2d(kernel_size, stride=None, *, count_include_pad=True, divisor_override=None):
    return paddle.nn.AvgPool2D(kernel_size, stride=stride, divisor_override=divisor_override)


@family("2d 3d", (" 2,", " 3,"))
@rule(torch.nn.AvgPool2d)
def AvgPool2d(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    if ceil_mode and divisor_override is not None:
        raise NotImplementedError("Paddle counts other windows in ceil_mode; use torch.nn.functional.avg_pool2d")
    if ceil_mode and (
        padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3))
    ):
        return pooling_inside(
            paddle.nn.AvgPool2D(
                kernel_size, stride=stride, padding=padding, ceil_mode=True, exclusive=not count_include_pad
            ),
            2,
            kernel_size,
            stride,
            padding,
        )
    return paddle.nn.AvgPool2D(
        kernel_size,
        stride=stride,
        padding=padding,
        ceil_mode=ceil_mode,
        exclusive=divisor_override is None and not count_include_pad,
        divisor_override=divisor_override,
    )


@family("1d 2d 3d")
@rule(torch.nn.AdaptiveAvgPool1d)
def AdaptiveAvgPool1d(output_size):
    return paddle.nn.AdaptiveAvgPool1D(output_size)


@family("1d 2d 3d")
@rule(torch.nn.AdaptiveMaxPool1d)
def AdaptiveMaxPool1d(output_size, return_indices=False):
    if return_indices:
        raise NotImplementedError(
            "Paddle's layer gives int32 indices; call F.adaptive_max_pool1d with return_indices=True"
        )
    return paddle.nn.AdaptiveMaxPool1D(output_size, return_mask=return_indices)


@family("1d 2d", "1 2")
@rule(torch.nn.LPPool1d)
class LPPool1d(paddle.nn.LPPool1D):
    """The p-norm over each window; Paddle's own has NaN for a gradient where a window holds zeros alone."""

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__(norm_type, kernel_size, stride=stride, ceil_mode=ceil_mode)
        self.windows = 1, norm_type, kernel_size, stride, ceil_mode

    def forward(self, x):
        return norms_of_windows(paddle.nn.functional.avg_pool1d, x, *self.windows)


@rule(torch.nn.LPPool3d)
class LPPool3d(paddle.nn.Layer):
    """The p-norm over each window."""

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def forward(self, x):
        windows = 3, self.norm_type, self.kernel_size, self.stride, self.ceil_mode
        return norms_of_windows(paddle.nn.functional.avg_pool3d, x, *windows)


@family("1d 2d 3d")
@rule(torch.nn.MaxUnpool1d)
def MaxUnpool1d(kernel_size, stride=None, padding=0):
    return paddle.nn.MaxUnPool1D(kernel_size, stride=stride, padding=padding)


class FractionalMaxPool(paddle.nn.Layer):
    """Other windows in each channel, as torch has them."""

    def __init__(self, dims, kernel_size, output_size, output_ratio, return_indices, samples):
        super().__init__()
        self.dims, self.return_indices = dims, return_indices
        self.sizes = kernel_size, output_size, output_ratio
        self.register_buffer("_random_samples", samples)

    def forward(self, input):
        found = fractional_windows(input, self.dims, *self.sizes, self._random_samples)
        return found if self.return_indices else found[0]


@family("2d 3d", "2 3")
@rule(torch.nn.FractionalMaxPool2d)
def FractionalMaxPool2d(kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    return FractionalMaxPool(2, kernel_size, output_size, output_ratio, return_indices, _random_samples)
