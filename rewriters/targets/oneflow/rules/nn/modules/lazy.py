"""Layers that learn their number of input channels from the first input: as in torch, they then are the plain layer."""

import oneflow
import torch

from rewriters.rule import rule


class Lazy:
    """What the layers below have in common.

    becomes: the plain layer. channels: the axis of the input that is counted, from the last one where it is negative.
    axes: how many axes an input with a batch has; one that has fewer is given a batch axis.
    """

    channels, axes = 1, 0

    def __init__(self, *arguments, **options):
        oneflow.nn.Module.__init__(self)
        self.arguments, self.options = arguments, options

    def forward(self, x):
        alone = self.axes and x.ndim == self.axes - 1
        rows = x.unsqueeze(0) if alone else x
        if "arguments" in self.__dict__:
            arguments, options, training = self.arguments, self.options, self.training
            del self.arguments, self.options
            self.becomes.__init__(self, rows.shape[self.channels], *arguments, **options)
            self.to(device=x.device)
            self.train(training)
        found = self.becomes.forward(self, rows)
        return found.squeeze(0) if alone else found


@rule(torch.nn.LazyLinear)
class LazyLinear(Lazy, oneflow.nn.Linear):
    becomes, channels = oneflow.nn.Linear, -1


@rule(torch.nn.LazyConv1d)
class LazyConv1d(Lazy, oneflow.nn.Conv1d):
    becomes, axes = oneflow.nn.Conv1d, 3


@rule(torch.nn.LazyConv2d)
class LazyConv2d(Lazy, oneflow.nn.Conv2d):
    becomes, axes = oneflow.nn.Conv2d, 4


@rule(torch.nn.LazyConv3d)
class LazyConv3d(Lazy, oneflow.nn.Conv3d):
    becomes, axes = oneflow.nn.Conv3d, 5


@rule(torch.nn.LazyConvTranspose1d)
class LazyConvTranspose1d(Lazy, oneflow.nn.ConvTranspose1d):
    becomes, axes = oneflow.nn.ConvTranspose1d, 3


@rule(torch.nn.LazyConvTranspose2d)
class LazyConvTranspose2d(Lazy, oneflow.nn.ConvTranspose2d):
    becomes, axes = oneflow.nn.ConvTranspose2d, 4


@rule(torch.nn.LazyConvTranspose3d)
class LazyConvTranspose3d(Lazy, oneflow.nn.ConvTranspose3d):
    becomes, axes = oneflow.nn.ConvTranspose3d, 5


@rule(torch.nn.LazyBatchNorm1d)
class LazyBatchNorm1d(Lazy, oneflow.nn.BatchNorm1d):
    becomes = oneflow.nn.BatchNorm1d


@rule(torch.nn.LazyBatchNorm2d)
class LazyBatchNorm2d(Lazy, oneflow.nn.BatchNorm2d):
    becomes = oneflow.nn.BatchNorm2d


@rule(torch.nn.LazyBatchNorm3d)
class LazyBatchNorm3d(Lazy, oneflow.nn.BatchNorm3d):
    becomes = oneflow.nn.BatchNorm3d


@rule(torch.nn.LazyInstanceNorm1d)
class LazyInstanceNorm1d(Lazy, oneflow.nn.InstanceNorm1d):
    becomes = oneflow.nn.InstanceNorm1d


@rule(torch.nn.LazyInstanceNorm2d)
class LazyInstanceNorm2d(Lazy, oneflow.nn.InstanceNorm2d):
    becomes = oneflow.nn.InstanceNorm2d


@rule(torch.nn.LazyInstanceNorm3d)
class LazyInstanceNorm3d(Lazy, oneflow.nn.InstanceNorm3d):
    becomes = oneflow.nn.InstanceNorm3d
