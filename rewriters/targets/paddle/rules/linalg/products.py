"""torch.linalg: products."""

import paddle
import torch

from rewriters.rule import becomes, rule
from rewriters.targets.paddle.rules.products import wanting

becomes(torch.linalg.multi_dot, paddle.linalg.multi_dot)


@rule(torch.linalg.cross)
def linalg_cross(input, other, *, dim=-1):
    return paddle.cross(wanting(input, other), wanting(other, input), axis=dim)


@rule(torch.linalg.vecdot)
def vecdot(x, y, *, dim=-1):
    return paddle.sum(paddle.conj(x) * y, axis=dim) if x.is_complex() else paddle.sum(x * y, axis=dim)
