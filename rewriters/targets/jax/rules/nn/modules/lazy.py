"""Layers that learn their number of input channels from the first input: as in torch, they then are the plain layer."""

import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.nn.modules.batchnorm import (  # noqa: F401 (families name them)
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
)
from rewriters.targets.jax.rules.nn.modules.conv import (  # noqa: F401 (families name them)
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from rewriters.targets.jax.rules.nn.modules.linear import Linear
from rewriters.targets.jax.rules.nn.modules.module import Module


class Lazy:
    """What the layers below have in common.

    becomes: the plain layer. channels: the axis of the input that is counted. unbatched: axes of an input without a
    batch, whose channels come first.
    """

    channels, unbatched = 1, 0

    def __init__(self, *arguments, **options):
        Module.__init__(self)
        self.asked = (arguments, options)

    def __call__(self, input, *more):
        (arguments, options), training = self.asked, self.training
        del self.asked
        count = input.shape[0 if input.ndim == self.unbatched else self.channels]
        self.becomes.__init__(self, count, *arguments, **options)
        self.__class__ = self.becomes
        self.train(training)
        return self(input, *more)


@rule(torch.nn.LazyLinear)
class LazyLinear(Lazy, Linear):
    becomes, channels = Linear, -1


@family("1d 2d 3d", "2 3 4")
@rule(torch.nn.LazyConv1d)
class LazyConv1d(Lazy, Conv1d):
    becomes, unbatched = Conv1d, 2


@family("1d 2d 3d", "2 3 4")
@rule(torch.nn.LazyConvTranspose1d)
class LazyConvTranspose1d(Lazy, ConvTranspose1d):
    becomes, unbatched = ConvTranspose1d, 2


@family("1d 2d 3d")
@rule(torch.nn.LazyBatchNorm1d)
class LazyBatchNorm1d(Lazy, BatchNorm1d):
    becomes = BatchNorm1d

    def __init__(
        self, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True
    ):
        super().__init__(eps, momentum, affine, track_running_stats, device, dtype, bias=bias)


@family("1d 2d 3d", "2 3 4")
@rule(torch.nn.LazyInstanceNorm1d)
class LazyInstanceNorm1d(Lazy, InstanceNorm1d):
    becomes, unbatched = InstanceNorm1d, 2

    def __init__(
        self, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True
    ):
        super().__init__(eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
