"""torch.nn.modules: ChannelShuffle."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.nn.ChannelShuffle)
class ChannelShuffle(oneflow.nn.Module):
    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, x):
        batch, channels, *rest = x.shape
        mixed = x.reshape(batch, self.groups, channels // self.groups, *rest).transpose(1, 2)
        return mixed.reshape(batch, channels, *rest)
