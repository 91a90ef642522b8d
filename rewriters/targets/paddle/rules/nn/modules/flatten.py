"""torch.nn.modules: Flatten and Unflatten."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.Flatten)
def Flatten(start_dim=1, end_dim=-1):
    return paddle.nn.Flatten(start_axis=start_dim, stop_axis=end_dim)


@rule(torch.nn.Unflatten)
def Unflatten(dim, unflattened_size):
    return paddle.nn.Unflatten(dim, unflattened_size)
