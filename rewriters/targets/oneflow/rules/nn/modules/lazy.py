"""Layers that learn their number of input channels from the first input: as in torch, they then are the plain layer."""

import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.nn.modules.conv import (
    Conv1dThatPads,
    Conv2dThatPads,  # noqa: F401 - of the family
    Conv3dThatPads,  # noqa: F401 - of the family
)


class Lazy:
    """What the layers below have in common.

    becomes: the plain layer. channels: the axis of the input that is counted, from the last one where it is negative.
    axes: how many axes an input with a batch has; one that has fewer is given a batch axis. count: of the arguments
    that come before the device and the dtype.
    """

    channels, axes, count = 1, 0, 4

    def __init__(self, *arguments, **options):
        oneflow.nn.Module.__init__(self)
        self.places = [*arguments[self.count :], options.pop("device", None), options.pop("dtype", None)]
        self.arguments, self.options = arguments[: self.count], options

    def forward(self, x):
        alone = self.axes and x.ndim == self.axes - 1
        rows = x.unsqueeze(0) if alone else x
        if "arguments" in self.__dict__:
            arguments, options, training = self.arguments, self.options, self.training
            del self.arguments, self.options
            self.becomes.__init__(self, rows.shape[self.channels], *arguments, **options)
            self.to(device=x.device)
            for place in self.places:
                if place is not None:
                    self.to(place)
            self.train(training)
        found = self.becomes.forward(self, rows)
        return found.squeeze(0) if alone else found


@rule(torch.nn.LazyLinear)
class LazyLinear(Lazy, oneflow.nn.Linear):
    becomes, channels, count = oneflow.nn.Linear, -1, 2


@family("1d 2d 3d", "3 4 5")
@rule(torch.nn.LazyConv1d)
class LazyConv1d(Lazy, Conv1dThatPads):
    becomes, axes, count = Conv1dThatPads, 3, 8


@family("1d 2d 3d", "3 4 5")
@rule(torch.nn.LazyConvTranspose1d)
class LazyConvTranspose1d(Lazy, oneflow.nn.ConvTranspose1d):
    becomes, axes, count = oneflow.nn.ConvTranspose1d, 3, 9


@family("1d 2d 3d")
@rule(torch.nn.LazyBatchNorm1d)
class LazyBatchNorm1d(Lazy, oneflow.nn.BatchNorm1d):
    becomes = oneflow.nn.BatchNorm1d


@family("1d 2d 3d")
@rule(torch.nn.LazyInstanceNorm1d)
class LazyInstanceNorm1d(Lazy, oneflow.nn.InstanceNorm1d):
    becomes = oneflow.nn.InstanceNorm1d

    def __init__(self, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        if track_running_stats:
            raise NotImplementedError("OneFlow's InstanceNorm1d keeps no statistics; pass track_running_stats=False")
        super().__init__(eps, momentum, affine, False, device, dtype)
