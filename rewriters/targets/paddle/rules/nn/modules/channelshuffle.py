"""torch.nn.modules: ChannelShuffle."""

import paddle
import torch

from rewriters.rule import becomes

becomes(torch.nn.ChannelShuffle, paddle.nn.ChannelShuffle)
