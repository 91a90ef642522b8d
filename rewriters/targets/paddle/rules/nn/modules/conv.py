"""Convolutions: modules. Weights are laid out as torch's, transposed and grouped ones too;
of a weight norm (``weight_g``) Paddle keeps one axis.
"""

import paddle
import torch

from rewriters.rule import family, flattened, rule


def same_amounts(kernel_size, dilation, dims):
    """What padding="same" means, before and behind each axis: Paddle's own leaves the dilation out."""
    kernel = list(kernel_size) if isinstance(kernel_size, (list, tuple)) else [kernel_size] * dims
    dilation = list(dilation) if isinstance(dilation, (list, tuple)) else [dilation] * dims
    amounts = []
    for width, step in zip(kernel, dilation, strict=True):
        total = step * (width - 1)
        amounts += [total // 2, total - total // 2]
    return amounts


@family("1d 2d 3d", (", 1)", ", 2)", ", 3)"))
@rule(torch.nn.Conv1d)
def Conv1d(
    in_channels,
    out_channels,
    kernel_size,
    stride=1,
    padding: str = 0,
    dilation=1,
    groups=1,
    bias=True,
    padding_mode="zeros",
    device=None,
    dtype=None,
):
    if padding == "same" and padding_mode == "zeros" and dilation != 1:
        padding = same_amounts(kernel_size, dilation, 1)
    return paddle.nn.Conv1D(
        in_channels,
        out_channels,
        kernel_size,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
        padding_mode=padding_mode,
        bias_attr=None if bias else False,
        dtype=dtype,
    )


@family("1d 2d 3d")
@rule(torch.nn.Conv1d, layout={"weight_g": flattened})
def Conv1d(
    in_channels,
    out_channels,
    kernel_size,
    stride=1,
    padding=0,
    dilation=1,
    groups=1,
    bias=True,
    padding_mode="zeros",
    device=None,
    dtype=None,
):
    return paddle.nn.Conv1D(
        in_channels,
        out_channels,
        kernel_size,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
        padding_mode=padding_mode,
        bias_attr=None if bias else False,
        dtype=dtype,
    )


@family("1d 2d 3d", "Conv1DTranspose Conv2DTranspose Conv3DTranspose")
@rule(torch.nn.ConvTranspose1d, layout={"weight_g": flattened})
def ConvTranspose1d(
    in_channels,
    out_channels,
    kernel_size,
    stride=1,
    padding=0,
    output_padding=0,
    groups=1,
    bias=True,
    dilation=1,
    padding_mode="zeros",
    device=None,
):
    return paddle.nn.Conv1DTranspose(
        in_channels,
        out_channels,
        kernel_size,
        stride=stride,
        padding=padding,
        output_padding=output_padding,
        groups=groups,
        dilation=dilation,
        bias_attr=None if bias else False,
    )


@family("1d 2d 3d", "Conv1DTranspose Conv2DTranspose Conv3DTranspose")
@rule(torch.nn.ConvTranspose1d)
def ConvTranspose1d(
    in_channels,
    out_channels,
    kernel_size,
    stride=1,
    padding=0,
    output_padding=0,
    groups=1,
    bias=True,
    dilation=1,
    padding_mode="zeros",
    device=None,
    dtype=None,
):
    layer = paddle.nn.Conv1DTranspose(
        in_channels,
        out_channels,
        kernel_size,
        stride=stride,
        padding=padding,
        output_padding=output_padding,
        groups=groups,
        dilation=dilation,
        bias_attr=None if bias else False,
    )
    return layer if dtype is None else layer.to(dtype=dtype)


@family("1d 2d 3d")
@rule("torch.nn.Conv1d._conv_forward")
def convolved_1d(self, input, weight, bias):
    """What a program's own layer convolves with a weight that it has changed."""
    padding = self._padding
    if self._padding_mode != "zeros":
        padding, around = 0, self._reversed_padding_repeated_twice
        input = paddle.nn.functional.pad(input, around, mode=self._padding_mode, data_format=self._data_format)
    settings = (self._stride, padding, self._dilation, self._groups, self._data_format)
    return paddle.nn.functional.conv1d(input, weight, bias, *settings)
