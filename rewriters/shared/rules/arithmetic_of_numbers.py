"""Functions of tensors that are given Python's numbers alone: torch's give a tensor without axes."""

import framework

from rewriters.rule import rule


@rule("torch.add:numbers")
def add(input, other, *, alpha=1):
    return framework.tensor(input) + alpha * other


@rule("torch.sub:numbers", "torch.subtract:numbers")
def sub(input, other, *, alpha=1):
    return framework.tensor(input) - alpha * other


@rule("torch.mul:numbers", "torch.multiply:numbers")
def mul(input, other):
    return framework.tensor(input) * other


@rule("torch.div:numbers", "torch.divide:numbers", "torch.true_divide:numbers")
def div(input, other):
    return framework.tensor(input) / other


@rule("torch.floor_divide:numbers")
def floor_divide(input, other):
    return framework.tensor(input // other)
