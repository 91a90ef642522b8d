"""Operators with one of numpy's numbers on the left: numpy's own would take OneFlow's tensor for an array.

Torch's tensors tell numpy to leave the operation to them, OneFlow's do not, and know numpy's float64 alone.
"""

import numpy
import torch

from rewriters.rule import IntTensor, family, rule
from rewriters.targets.oneflow.rules.promotion_of_operators import promoted_pow


@rule(torch.Tensor.__radd__)
def radd(self, other: numpy.generic):
    return other.item() + self


@rule(torch.Tensor.__radd__)
def radd(self, other):
    return other + self


@family(
    "rsub rsub rmul rtruediv rpow",
    ("other: numpy.generic", "other", "other: numpy.generic", "other: numpy.generic", "other: numpy.generic"),
    "other.item() other other.item() other.item() other.item()",
    "- - * / **",
)
@rule(torch.Tensor.__rsub__)
def rsub(self, other: numpy.generic):
    return other.item() - self


@rule(torch.Tensor.__rmul__)
def rmul(self, other):
    return other * self


@rule(torch.Tensor.__rtruediv__)
def rtruediv(self, other):
    return other / self


@rule(torch.Tensor.__rpow__)
def rpow(self: IntTensor, other: int):
    return promoted_pow(other, self)


@rule(torch.Tensor.__rpow__)
def rpow(self, other):
    return other**self
