"""torch.nn.modules: distances."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.CosineSimilarity)
def CosineSimilarity(dim=1, eps=1e-08):
    return paddle.nn.CosineSimilarity(axis=dim, eps=eps)


@rule(torch.nn.PairwiseDistance)
def PairwiseDistance(p=2.0, eps=1e-06, keepdim=False):
    return paddle.nn.PairwiseDistance(p, epsilon=eps, keepdim=keepdim)
