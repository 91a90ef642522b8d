"""torch.nn.utils: weight norm."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.nn.utils.weight_norm)
def weight_norm(module, name="weight", dim=0):
    return oneflow.nn.utils.weight_norm(module, name, dim)


@rule(torch.nn.utils.remove_weight_norm)
def remove_weight_norm(module, name="weight"):
    return oneflow.nn.utils.remove_weight_norm(module, name)
