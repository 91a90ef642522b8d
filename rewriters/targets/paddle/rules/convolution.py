"""Convolutions: functions.

Paddle's take a batch only: where the rank of the input is known, one sample gets a batch axis. With padding="same" they
leave the dilation out.
"""

import paddle
import torch

from rewriters.rule import Rank, family, rule


def same_padded(input, weight, dilation):
    """With zeros around, so that the result has the input's size: more of them behind where their number is odd."""
    dims = weight.ndim - 2
    dilation = list(dilation) if isinstance(dilation, (list, tuple)) else [dilation]
    dilation = dilation * dims if len(dilation) == 1 else dilation
    amounts = []
    for axis in reversed(range(dims)):
        total = dilation[axis] * (weight.shape[2 + axis] - 1)
        amounts += [total // 2, total - total // 2]
    return paddle.compat.nn.functional.pad(input, amounts)


@family("1d 2d 3d", "2 3 4")
@rule(torch.conv1d)
def conv1d(input: Rank[2], weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    if padding == "same" and dilation != 1:
        return paddle.nn.functional.conv1d(
            same_padded(input.unsqueeze(0), weight, dilation),
            weight,
            bias=bias,
            stride=stride,
            dilation=dilation,
            groups=groups,
        ).squeeze(0)
    return paddle.nn.functional.conv1d(
        input.unsqueeze(0), weight, bias=bias, stride=stride, padding=padding, dilation=dilation, groups=groups
    ).squeeze(0)


@family("1d 2d 3d")
@rule(torch.conv1d)
def conv1d(input, weight, bias=None, stride=1, padding: str = 0, dilation=1, groups=1):
    if padding == "same" and dilation != 1:
        return paddle.nn.functional.conv1d(
            same_padded(input, weight, dilation), weight, bias=bias, stride=stride, dilation=dilation, groups=groups
        )
    return paddle.nn.functional.conv1d(
        input, weight, bias=bias, stride=stride, padding=padding, dilation=dilation, groups=groups
    )


@family("1d 2d 3d")
@rule(torch.conv1d)
def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return paddle.nn.functional.conv1d(
        input, weight, bias=bias, stride=stride, padding=padding, dilation=dilation, groups=groups
    )


@family("1d 2d 3d", "2 3 4")
@rule(torch.conv_transpose1d)
def conv_transpose1d(input: Rank[2], weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return paddle.nn.functional.conv1d_transpose(
        input.unsqueeze(0),
        weight,
        bias=bias,
        stride=stride,
        padding=padding,
        output_padding=output_padding,
        groups=groups,
        dilation=dilation,
    ).squeeze(0)


@family("1d 2d 3d")
@rule(torch.conv_transpose1d)
def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return paddle.nn.functional.conv1d_transpose(
        input,
        weight,
        bias=bias,
        stride=stride,
        padding=padding,
        output_padding=output_padding,
        groups=groups,
        dilation=dilation,
    )


@rule(torch.conv_tbc)
def conv_tbc(input, weight, bias, pad=0):
    # time, batch, channels; the weight is (width, in, out)
    return paddle.nn.functional.conv1d(
        input.transpose([1, 2, 0]), weight.transpose([2, 1, 0]), bias=bias, padding=pad
    ).transpose([2, 0, 1])
