"""torch.nn.modules: Fold and Unfold."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.Unfold)
def Unfold(kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.Unfold(kernel_size, dilations=dilation, paddings=padding, strides=stride)


@rule(torch.nn.Fold)
def Fold(output_size, kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.Fold(output_size, kernel_size, dilations=dilation, paddings=padding, strides=stride)
