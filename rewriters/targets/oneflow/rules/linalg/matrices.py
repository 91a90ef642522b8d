"""torch.linalg: matrices made of, and taken out of, others."""

import oneflow
import torch

from rewriters.rule import IntTensor, rule
from rewriters.targets.oneflow.rules.diagonals import along


@rule(torch.linalg.vander)
def vander_rising(x: IntTensor, *, N=None):
    return oneflow.stack([x.long() ** n for n in range(x.shape[-1] if N is None else N)], -1)


@rule(torch.linalg.vander)
def vander_rising(x, *, N=None):
    return oneflow.stack([x**n for n in range(x.shape[-1] if N is None else N)], -1)


@rule(torch.linalg.diagonal)
def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return along(A, offset, dim1, dim2)
