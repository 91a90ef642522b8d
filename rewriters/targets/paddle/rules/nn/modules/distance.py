"""torch.nn.modules: distances."""

import paddle
import torch

from rewriters.rule import becomes, rule

becomes(torch.nn.CosineSimilarity, paddle.nn.CosineSimilarity, dim="axis")


@rule(torch.nn.PairwiseDistance)
def PairwiseDistance(p=2.0, eps=1e-06, keepdim=False):
    return paddle.nn.PairwiseDistance(p, epsilon=eps, keepdim=keepdim)
