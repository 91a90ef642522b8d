"""torch.nn.functional: linear layers."""

import oneflow
import torch

from rewriters.rule import Rank, rule
from rewriters.shared.rules.nn.rowless import with_rows


@rule(torch.nn.functional.linear)
def linear(input: Rank[1], weight, bias=None):
    return oneflow.nn.functional.linear(input.unsqueeze(0), weight, bias).squeeze(0)


@rule("torch.nn.functional.linear:rows")
def linear_of_rows(input, weight, bias=None):
    """Of no rows the gradients of the weight and the bias are zeros, which OneFlow's kernels do not write."""
    if input.ndim != 2 or input.shape[0] > 0:
        return oneflow.nn.functional.linear(input, weight, bias)
    return oneflow.nn.functional.linear(with_rows(input), weight, bias)[:0]
