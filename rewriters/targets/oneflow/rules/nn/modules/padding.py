"""torch.nn.modules: padding."""

import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.nn.functional.vision import padded


class Padding(oneflow.nn.Module):
    """Pads so many axes, from the last one on; one number is for all sides."""

    axes, mode = 1, "circular"

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * (2 * self.axes) if isinstance(padding, int) else tuple(padding)

    def forward(self, x):
        if self.mode == "constant":
            return oneflow.nn.functional.pad(x, self.padding)
        return padded(x, self.padding, self.mode)


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.CircularPad1d)
class CircularPad1d(Padding):
    axes = 1


@family("ReflectionPad3d ReplicationPad3d ZeroPad1d ZeroPad3d", "3 3 1 3", "reflect replicate constant constant")
@rule(torch.nn.ReflectionPad3d)
class ReflectionPad3d(Padding):
    axes, mode = 3, "reflect"
