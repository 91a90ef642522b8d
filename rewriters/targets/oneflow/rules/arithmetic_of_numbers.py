"""Functions of tensors that are given Python's numbers alone: torch's give a tensor without axes."""

import oneflow

from rewriters.rule import rule


@rule("torch.add:numbers")
def add(input, other, *, alpha=1):
    return oneflow.tensor(input) + alpha * other


@rule("torch.sub:numbers", "torch.subtract:numbers")
def sub(input, other, *, alpha=1):
    return oneflow.tensor(input) - alpha * other


@rule("torch.mul:numbers", "torch.multiply:numbers")
def mul(input, other):
    return oneflow.tensor(input) * other


@rule("torch.div:numbers", "torch.divide:numbers", "torch.true_divide:numbers")
def div(input, other):
    return oneflow.tensor(input) / other


@rule("torch.floor_divide:numbers")
def floor_divide(input, other):
    return oneflow.tensor(input // other)
