"""torch.nn.modules: PixelShuffle and PixelUnshuffle."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.PixelShuffle)
def PixelShuffle(upscale_factor):
    return paddle.nn.PixelShuffle(upscale_factor)


@rule(torch.nn.PixelUnshuffle)
def PixelUnshuffle(downscale_factor):
    return paddle.nn.PixelUnshuffle(downscale_factor)
