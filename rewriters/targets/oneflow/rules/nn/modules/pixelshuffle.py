"""torch.nn.modules: PixelShuffle and PixelUnshuffle."""

import oneflow
import torch

from rewriters.rule import Rank, rule, same

same("torch.nn.PixelShuffle")


@rule("torch.nn.PixelShuffle:call")
def one_image_shuffled(self, input: Rank[3]):
    # OneFlow's takes a batch of images alone
    return self(input.unsqueeze(0)).squeeze(0)


@rule("torch.nn.PixelShuffle:call")
def clips_shuffled(self, input: Rank[5]):
    found = self(input.flatten(0, 1))
    return found.reshape(*input.shape[:2], *found.shape[1:])


@rule(torch.nn.PixelUnshuffle)
class PixelUnshuffle(oneflow.nn.Module):
    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, x):
        *batch, channels, height, width = x.shape
        factor = self.downscale_factor
        height, width = height // factor, width // factor
        blocks = x.reshape(-1, channels, height, factor, width, factor).permute(0, 1, 3, 5, 2, 4)
        return blocks.reshape(*batch, channels * factor**2, height, width)
