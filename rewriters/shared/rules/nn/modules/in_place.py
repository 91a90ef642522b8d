"""Layers that change what they are given, where somebody else sees it."""

import framework

from rewriters.rule import family, rule
from rewriters.targets.framework.rules.nn.modules.in_place import InPlace


@rule("torch.nn.ReLU6:inplace")
class InPlaceReLU6(InPlace, framework.nn.ReLU6):
    def __init__(self, inplace=True):
        super().__init__()


@family("ELU CELU", "InPlaceELU InPlaceCELU")
@rule("torch.nn.ELU:inplace")
class InPlaceELU(InPlace, framework.nn.ELU):
    def __init__(self, alpha=1.0, inplace=True):
        super().__init__(alpha)


@rule("torch.nn.Hardtanh:inplace")
class InPlaceHardtanh(InPlace, framework.nn.Hardtanh):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=True):
        super().__init__(min_val, max_val)
