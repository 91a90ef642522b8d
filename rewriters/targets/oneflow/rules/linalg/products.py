"""torch.linalg: products."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.products import multiplied, wanting


@rule(torch.linalg.cross)
def linalg_cross(input, other, *, dim=-1):
    return oneflow.linalg.cross(wanting(input, other), wanting(other, input), dim=dim)


@rule(torch.linalg.matmul)
def linalg_matmul(input, other):
    # OneFlow's own aborts on a vector beside a batch of matrices
    rows = input.unsqueeze(0) if input.ndim == 1 else input
    found = oneflow.matmul(rows, other.unsqueeze(-1) if other.ndim == 1 else other)
    found = found.squeeze(-1) if other.ndim == 1 else found
    return found.squeeze(-1 if other.ndim == 1 else -2) if input.ndim == 1 else found


@rule(torch.linalg.vecdot)
def vecdot(x, y, *, dim=-1):
    return oneflow.sum(x * y, dim)


@rule(torch.linalg.multi_dot)
def multi_dot(tensors):
    return multiplied(tensors)
