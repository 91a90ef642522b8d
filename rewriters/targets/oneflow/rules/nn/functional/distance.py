"""torch.nn.functional: distances."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.nn.functional.pairwise_distance, torch.pairwise_distance)
def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return oneflow.linalg.vector_norm(x1 - x2 + eps, ord=p, dim=-1, keepdim=keepdim)
