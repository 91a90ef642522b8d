"""torch.nn.modules: PixelShuffle and PixelUnshuffle."""

import paddle
import torch

from rewriters.rule import family, rule


@family("PixelShuffle PixelUnshuffle", "upscale downscale")
@rule(torch.nn.PixelShuffle)
def PixelShuffle(upscale_factor):
    return paddle.nn.PixelShuffle(upscale_factor)
