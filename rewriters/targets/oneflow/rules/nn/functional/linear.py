"""torch.nn.functional: linear layers."""

import oneflow
import torch

from rewriters.rule import Rank, rule


@rule(torch.nn.functional.linear)
def linear(input: Rank[1], weight, bias=None):
    return oneflow.nn.functional.linear(input.unsqueeze(0), weight, bias).squeeze(0)
