"""torch.nn: parameters."""

import oneflow
import torch

from rewriters.rule import alias, rule

alias(torch.nn.Parameter, "oneflow.nn.Parameter")


@rule("torch.nn.Parameter:part")
def parameter_of_part(data, requires_grad=True):
    with oneflow.no_grad():
        part = data.unsqueeze(0).squeeze(0)
    part.__class__ = oneflow.nn.Parameter  # its constructor forgets where a part begins
    return part.requires_grad_(requires_grad)
