"""Functions of the torch namespace: creation, joining, shape, random numbers, devices, saving."""

import oneflow
import torch

from rewriters.rule import alias, rule, same

alias(torch.no_grad, "oneflow.no_grad")
alias(torch.device, "oneflow.device")

same(
    "torch.cuda.is_available", "torch.zeros", "torch.ones",
    "torch.randn", "torch.rand", "torch.arange", "torch.tril", "torch.triu", 
    
    "torch.flip", "torch.multinomial", 
    "torch.matmul",
)  # fmt: skip


@rule(torch.load)
def load(f, *, weights_only=None):
    return oneflow.load(f)


@rule(torch.load)
def load(f, map_location, *, weights_only=None):  # noqa: F811
    return oneflow.load(f, map_location=map_location)
