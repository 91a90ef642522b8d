"""Functions of the torch namespace: creation, joining, shape, random numbers, devices, saving."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.cuda.is_available, "paddle.cuda.is_available")


@rule(torch.device)
def device(type):
    return paddle.device(type)
