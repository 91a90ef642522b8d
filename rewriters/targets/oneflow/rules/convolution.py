"""torch.nn.functional: convolutions. OneFlow's want a batch axis and numbers for padding: where a call has arguments
beyond the common ones, or a padding in words, that is seen to.
"""

import oneflow
import torch

from rewriters.rule import Rank, family, rule
from rewriters.targets.oneflow.rules.products import wanting


def same_sides(input, weight, dilation, axes):
    """The input padded so that the output is as large as it was."""
    steps = [dilation] * axes if isinstance(dilation, int) else list(dilation) * (axes if len(dilation) == 1 else 1)
    pads = []
    for n in reversed(range(axes)):
        total = steps[n] * (weight.shape[2 + n] - 1)
        pads += [total // 2, total - total // 2]
    return oneflow.nn.functional.pad(input, pads)


def convolved(input, weight, bias, stride, padding, dilation, groups, axes):
    """With torch's paddings in words, and inputs without a batch axis."""
    convolve = {
        1: oneflow.nn.functional.conv1d, 2: oneflow.nn.functional.conv2d, 3: oneflow.nn.functional.conv3d,
    }[axes]  # fmt: skip
    alone = input.ndim == axes + 1
    rows = input.unsqueeze(0) if alone else input
    if padding == "same":
        rows, padding = same_sides(rows, weight, dilation, axes), 0
    elif padding == "valid":
        padding = 0
    # OneFlow wants one number, or one for each axis
    stride, padding, dilation = (
        value if isinstance(value, int) else list(value) * (axes if len(value) == 1 else 1)
        for value in (stride, padding, dilation)
    )
    found = convolve(rows, wanting(weight, input), bias, stride, padding, dilation, groups)
    return found.squeeze(0) if alone else found


@family("1d 2d", "2 3", (", 1)", ", 2)"))
@rule(torch.nn.functional.conv1d, torch.conv1d)
def conv1d(input: Rank[2], weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolved(input, weight, bias, stride, padding, dilation, groups, 1)


@family("1d 2d", (", 1)", ", 2)"))
@rule(torch.nn.functional.conv1d, torch.conv1d)
def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    if isinstance(padding, int) and isinstance(stride, int) and isinstance(dilation, int):
        return oneflow.nn.functional.conv1d(input, weight, bias, stride, padding, dilation, groups)
    return convolved(input, weight, bias, stride, padding, dilation, groups, 1)


@rule(torch.nn.functional.conv3d, torch.conv3d)
def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolved(input, weight, bias, stride, padding, dilation, groups, 3)


def transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, axes):
    """With inputs without a batch axis."""
    convolve = {
        1: oneflow.nn.functional.conv_transpose1d, 2: oneflow.nn.functional.conv_transpose2d,
        3: oneflow.nn.functional.conv_transpose3d,
    }[axes]  # fmt: skip
    stride, padding, output_padding, dilation = (
        value if isinstance(value, int) else list(value) * (axes if len(value) == 1 else 1)
        for value in (stride, padding, output_padding, dilation)
    )
    rows = input.unsqueeze(0) if input.ndim == axes + 1 else input
    found = convolve(rows, wanting(weight, input), bias, stride, padding, output_padding, groups, dilation)
    return found.squeeze(0) if input.ndim == axes + 1 else found


@family("1d 2d 3d", (", 1)", ", 2)", ", 3)"))
@rule(torch.nn.functional.conv_transpose1d, torch.conv_transpose1d)
def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 1)
