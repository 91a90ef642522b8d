"""torch.nn.modules: distances."""

import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.functional.normalization import cosine_similarity, pairwise_distance
from rewriters.targets.jax.rules.nn.modules.module import Module


@rule(torch.nn.CosineSimilarity)
class CosineSimilarity(Module):
    def __init__(self, dim=1, eps=1e-08):
        super().__init__()
        self.dim, self.eps = dim, eps

    def __call__(self, x1, x2):
        return cosine_similarity(x1, x2, self.dim, self.eps)


@rule(torch.nn.PairwiseDistance)
class PairwiseDistance(Module):
    def __init__(self, p=2.0, eps=1e-06, keepdim=False):
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def __call__(self, x1, x2):
        return pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
