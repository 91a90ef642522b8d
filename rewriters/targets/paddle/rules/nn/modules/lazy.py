"""Layers that learn their number of input channels from the first input: as in torch, they then are the plain layer.

Their parameters are made by that input, so it must come before the optimizer (torch's documentation asks for the same).
"""

import paddle
import torch

from rewriters.rule import family, rule, transposed


class Lazy:
    """What the layers below have in common.

    becomes: the plain layer. channels: the axis of the input that is counted.
    """

    channels = 1

    def __init__(self, dtype=None, **options):
        paddle.nn.Layer.__init__(self)
        self.asked, self.options = dtype, options

    def forward(self, input):
        dtype = self.asked
        kept = {n: self.__dict__[n] for n in ("training", "_forward_pre_hooks", "_forward_post_hooks")}
        self.becomes.__init__(self, input.shape[self.channels], **self.options)
        self.__dict__.update(kept)
        self.__class__ = self.becomes
        if dtype is not None:
            self.to(dtype=dtype)
        return self.forward(input)


class LazyConvolution(Lazy):
    def __init__(
        self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros",
        device=None, dtype=None,
    ):  # fmt: skip
        super().__init__(
            dtype=dtype,
            out_channels=out_channels, kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation,
            groups=groups, padding_mode=padding_mode, bias_attr=None if bias else False,
        )  # fmt: skip


class LazyTransposedConvolution(Lazy):
    def __init__(
        self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
        padding_mode="zeros", device=None, dtype=None,
    ):  # fmt: skip
        super().__init__(
            dtype=dtype,
            out_channels=out_channels, kernel_size=kernel_size, stride=stride, padding=padding,
            output_padding=output_padding, groups=groups, dilation=dilation, bias_attr=None if bias else False,
        )  # fmt: skip


class LazyNormalization(Lazy):
    def __init__(self, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        if not track_running_stats:
            raise NotImplementedError("Paddle's BatchNorm always keeps statistics; use_global_stats=False ignores them")
        attribute = None if affine else False
        super().__init__(dtype=dtype, epsilon=eps, momentum=1 - momentum, weight_attr=attribute, bias_attr=attribute)


@family("1d 2d 3d")
@rule(torch.nn.LazyConv1d)
class LazyConv1d(LazyConvolution, paddle.nn.Conv1D):
    becomes = paddle.nn.Conv1D


@rule(torch.nn.LazyConvTranspose1d)
class LazyConvTranspose1d(LazyTransposedConvolution, paddle.nn.Conv1DTranspose):
    becomes = paddle.nn.Conv1DTranspose


@rule(torch.nn.LazyConvTranspose2d)
class LazyConvTranspose2d(LazyTransposedConvolution, paddle.nn.Conv2DTranspose):
    becomes = paddle.nn.Conv2DTranspose


@rule(torch.nn.LazyConvTranspose3d)
class LazyConvTranspose3d(LazyTransposedConvolution, paddle.nn.Conv3DTranspose):
    becomes = paddle.nn.Conv3DTranspose


@family("1d 2d 3d")
@rule(torch.nn.LazyBatchNorm1d)
class LazyBatchNorm1d(LazyNormalization, paddle.nn.BatchNorm1D):
    becomes = paddle.nn.BatchNorm1D


@rule(torch.nn.LazyLinear, layout={"weight": transposed})
class LazyLinear(Lazy, paddle.nn.Linear):
    becomes = paddle.nn.Linear
    channels = -1

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(dtype=dtype, out_features=out_features, bias_attr=None if bias else False)
