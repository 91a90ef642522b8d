"""Layers that change what they are given, where somebody else sees it.

OneFlow's ReLU, LeakyReLU and Dropout do; its others do not, or give wrong gradients then.
"""

import oneflow
import torch

from rewriters.rule import becomes, family, rule

becomes(torch.nn.CELU, oneflow.nn.CELU, alpha="/", inplace=None)
becomes(torch.nn.Threshold, oneflow.nn.Threshold, inplace=None)


class InPlace:
    """A layer whose input becomes its output."""

    def forward(self, input):
        input[...] = super().forward(input.clone())
        return input


@family("SELU SiLU Hardswish", "InPlaceSELU InPlaceSiLU InPlaceHardswish")
@rule("torch.nn.SELU:inplace")
class InPlaceSELU(InPlace, oneflow.nn.SELU):
    def __init__(self, inplace=True):
        super().__init__()


@rule("torch.nn.Threshold:inplace")
class InPlaceThreshold(InPlace, oneflow.nn.Threshold):
    def __init__(self, threshold, value, inplace=True):
        super().__init__(threshold, value)
