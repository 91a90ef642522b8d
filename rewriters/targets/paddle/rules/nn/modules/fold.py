"""torch.nn.modules: Fold and Unfold."""

import paddle
import torch

from rewriters.rule import becomes

becomes(torch.nn.Unfold, paddle.nn.Unfold, dilation="dilations", padding="paddings", stride="strides")
becomes(torch.nn.Fold, paddle.nn.Fold, dilation="dilations", padding="paddings", stride="strides")
