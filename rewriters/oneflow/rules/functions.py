"""Functions of the torch namespace: creation, joining, shape, random numbers, devices, saving."""

import oneflow
import torch

from rewriters.rule import alias, rule, same

alias(torch.no_grad, "oneflow.no_grad")
alias(torch.device, "oneflow.device")
alias(torch.float, "oneflow.float")
alias(torch.double, "oneflow.double")
alias(torch.half, "oneflow.half")
alias(torch.long, "oneflow.long")
alias(torch.int, "oneflow.int")
alias(torch.float32, "oneflow.float32")
alias(torch.float64, "oneflow.float64")
alias(torch.float16, "oneflow.float16")
alias(torch.int64, "oneflow.int64")
alias(torch.int32, "oneflow.int32")
alias(torch.int8, "oneflow.int8")
alias(torch.uint8, "oneflow.uint8")
alias(torch.bool, "oneflow.bool")

same(
    "torch.cuda.is_available", "torch.manual_seed", "torch.tensor", "torch.from_numpy", "torch.zeros", "torch.ones",
    "torch.randn", "torch.rand", "torch.randint", "torch.arange", "torch.tril", "torch.triu", "torch.cat",
    "torch.stack",
    "torch.flatten", "torch.flip", "torch.multinomial", "torch.topk", "torch.save", "torch.split", "torch.chunk",
    "torch.transpose", "torch.matmul",
)  # fmt: skip


@rule(torch.load)
def load(f, *, weights_only=None):
    return oneflow.load(f)


@rule(torch.load)
def load(f, map_location, *, weights_only=None):  # noqa: F811
    return oneflow.load(f, map_location=map_location)
