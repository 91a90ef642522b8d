"""Layers that change what they are given, where somebody else sees it: Paddle's own never do."""

import paddle

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.nn.modules.activation import CELU


class InPlace:
    """A layer whose input becomes its output."""

    def forward(self, input):
        return paddle.assign(super().forward(input.clone()), input)


class InPlaceInTraining(InPlace):
    """A layer whose input becomes its output, and that hands it on as it is in eval mode."""

    def forward(self, input):
        return super().forward(input) if self.training else input


@rule("torch.nn.ReLU:inplace")
class InPlaceReLU(paddle.nn.ReLU):
    def __init__(self, inplace=True):
        super().__init__()

    def forward(self, input):
        return paddle.nn.functional.relu_(input)


@rule("torch.nn.LeakyReLU:inplace")
class InPlaceLeakyReLU(InPlace, paddle.nn.LeakyReLU):
    def __init__(self, negative_slope=0.01, inplace=True):
        super().__init__(negative_slope)


@rule("torch.nn.RReLU:inplace")
class InPlaceRReLU(InPlace, paddle.nn.RReLU):
    def __init__(self, lower=1 / 8, upper=1 / 3, inplace=True):
        super().__init__(lower, upper)


@family("SELU Mish Hardsigmoid Hardswish", "InPlaceSELU InPlaceMish InPlaceHardsigmoid InPlaceHardswish")
@rule("torch.nn.SELU:inplace")
class InPlaceSELU(InPlace, paddle.nn.SELU):
    def __init__(self, inplace=True):
        super().__init__()


@rule("torch.nn.CELU:inplace")
class InPlaceCELU(InPlace, CELU):
    def __init__(self, alpha=1.0, inplace=True):
        super().__init__(alpha)


@rule("torch.nn.SiLU:inplace")
class InPlaceSiLU(InPlace, paddle.nn.Swish):
    def __init__(self, inplace=True):
        super().__init__()


@rule("torch.nn.Threshold:inplace")
class InPlaceThreshold(InPlace, paddle.nn.ThresholdedReLU):
    def __init__(self, threshold, value, inplace=True):
        super().__init__(threshold, value)


@family("Dropout AlphaDropout FeatureAlphaDropout", "InPlaceDropout InPlaceAlphaDropout InPlaceFeatureAlphaDropout")
@rule("torch.nn.Dropout:inplace")
class InPlaceDropout(InPlaceInTraining, paddle.nn.Dropout):
    def __init__(self, p=0.5, inplace=True):
        super().__init__(p)


@family("2d 3d")
@rule("torch.nn.Dropout2d:inplace")
class InPlaceDropout2d(InPlaceInTraining, paddle.nn.Dropout2D):
    def __init__(self, p=0.5, inplace=True):
        super().__init__(p)
