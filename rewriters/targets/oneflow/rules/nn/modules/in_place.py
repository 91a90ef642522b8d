"""Layers that change what they are given, where somebody else sees it.

OneFlow's ReLU, LeakyReLU and Dropout do; its others do not, or give wrong gradients then.
"""

import oneflow
import torch

from rewriters.rule import family, rule


class InPlace:
    """A layer whose input becomes its output."""

    def forward(self, input):
        input[...] = super().forward(input.clone())
        return input


@rule("torch.nn.ReLU6:inplace")
class InPlaceReLU6(InPlace, oneflow.nn.ReLU6):
    def __init__(self, inplace=True):
        super().__init__()


@family("ELU CELU", "InPlaceELU InPlaceCELU")
@rule("torch.nn.ELU:inplace")
class InPlaceELU(InPlace, oneflow.nn.ELU):
    def __init__(self, alpha=1.0, inplace=True):
        super().__init__(alpha)


@family("SELU SiLU Mish Hardswish", "InPlaceSELU InPlaceSiLU InPlaceMish InPlaceHardswish")
@rule("torch.nn.SELU:inplace")
class InPlaceSELU(InPlace, oneflow.nn.SELU):
    def __init__(self, inplace=True):
        super().__init__()


@rule("torch.nn.Hardtanh:inplace")
class InPlaceHardtanh(InPlace, oneflow.nn.Hardtanh):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=True):
        super().__init__(min_val, max_val)


@rule("torch.nn.Threshold:inplace")
class InPlaceThreshold(InPlace, oneflow.nn.Threshold):
    def __init__(self, threshold, value, inplace=True):
        super().__init__(threshold, value)


@rule(torch.nn.CELU)
def CELU(alpha=1.0, inplace=False):
    return oneflow.nn.CELU(alpha)


@rule(torch.nn.Threshold)
def Threshold(threshold, value, inplace=False):
    return oneflow.nn.Threshold(threshold, value)
