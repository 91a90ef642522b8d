"""Layers that change what they are given, where somebody else sees it: Paddle's own never do."""

import paddle

from rewriters.rule import family, rule


class InPlace:
    """A layer whose input becomes its output."""

    def forward(self, input):
        return paddle.assign(super().forward(input.clone()), input)


@rule("torch.nn.ReLU:inplace")
class InPlaceReLU(paddle.nn.ReLU):
    def __init__(self, inplace=True):
        super().__init__()

    def forward(self, input):
        return paddle.nn.functional.relu_(input)


@rule("torch.nn.ReLU6:inplace")
class InPlaceReLU6(InPlace, paddle.nn.ReLU6):
    def __init__(self, inplace=True):
        super().__init__()


@rule("torch.nn.LeakyReLU:inplace")
class InPlaceLeakyReLU(InPlace, paddle.nn.LeakyReLU):
    def __init__(self, negative_slope=0.01, inplace=True):
        super().__init__(negative_slope)


@rule("torch.nn.RReLU:inplace")
class InPlaceRReLU(InPlace, paddle.nn.RReLU):
    def __init__(self, lower=1 / 8, upper=1 / 3, inplace=True):
        super().__init__(lower, upper)


@family("ELU CELU", "InPlaceELU InPlaceCELU")
@rule("torch.nn.ELU:inplace")
class InPlaceELU(InPlace, paddle.nn.ELU):
    def __init__(self, alpha=1.0, inplace=True):
        super().__init__(alpha)


@family("SELU Mish Hardsigmoid Hardswish", "InPlaceSELU InPlaceMish InPlaceHardsigmoid InPlaceHardswish")
@rule("torch.nn.SELU:inplace")
class InPlaceSELU(InPlace, paddle.nn.SELU):
    def __init__(self, inplace=True):
        super().__init__()


@rule("torch.nn.SiLU:inplace")
class InPlaceSiLU(InPlace, paddle.nn.Silu):
    def __init__(self, inplace=True):
        super().__init__()


@rule("torch.nn.Hardtanh:inplace")
class InPlaceHardtanh(InPlace, paddle.nn.Hardtanh):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=True):
        super().__init__(min_val, max_val)


@rule("torch.nn.Threshold:inplace")
class InPlaceThreshold(InPlace, paddle.nn.ThresholdedReLU):
    def __init__(self, threshold, value, inplace=True):
        super().__init__(threshold, value)


@family("Dropout AlphaDropout FeatureAlphaDropout", "InPlaceDropout InPlaceAlphaDropout InPlaceFeatureAlphaDropout")
@rule("torch.nn.Dropout:inplace")
class InPlaceDropout(InPlace, paddle.nn.Dropout):
    def __init__(self, p=0.5, inplace=True):
        super().__init__(p)


@family("2d 3d")
@rule("torch.nn.Dropout2d:inplace")
class InPlaceDropout2d(InPlace, paddle.nn.Dropout2D):
    def __init__(self, p=0.5, inplace=True):
        super().__init__(p)
