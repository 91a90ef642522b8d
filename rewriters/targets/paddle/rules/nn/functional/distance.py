"""torch.nn.functional: distances."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.pairwise_distance)
def pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False):
    return paddle.nn.functional.pairwise_distance(x1, x2, p=p, epsilon=eps, keepdim=keepdim)
