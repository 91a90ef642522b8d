"""torch.nn.modules: ChannelShuffle."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.ChannelShuffle)
def ChannelShuffle(groups):
    return paddle.nn.ChannelShuffle(groups)
