"""torch.nn.modules: resampling, padding, shuffling."""

import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.nn.functional.convolution import (  # noqa: F401 (families name them)
    channel_shuffle,
    pixel_shuffle,
    pixel_unshuffle,
)
from rewriters.targets.jax.rules.nn.functional.resampling import interpolate
from rewriters.targets.jax.rules.nn.modules.module import Module


@rule(torch.nn.Upsample)
class Upsample(Module):
    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def __call__(self, input):
        return interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )


@rule(torch.nn.UpsamplingNearest2d)
class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "nearest")


@rule(torch.nn.UpsamplingBilinear2d)
class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "bilinear", align_corners=True)


@family("PixelShuffle PixelUnshuffle", "upscale_factor downscale_factor", "pixel_shuffle pixel_unshuffle")
@rule(torch.nn.PixelShuffle)
class PixelShuffle(Module):
    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def __call__(self, input):
        return pixel_shuffle(input, self.upscale_factor)


@rule(torch.nn.ChannelShuffle)
class ChannelShuffle(Module):
    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def __call__(self, input):
        return channel_shuffle(input, self.groups)
