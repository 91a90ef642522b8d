"""torch.nn.modules: Flatten and Unflatten."""

import oneflow
import torch

from rewriters.rule import rule, same

same("torch.nn.Flatten")


@rule(torch.nn.Unflatten)
class Unflatten(oneflow.nn.Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, x):
        axis = self.dim % x.ndim
        return x.reshape([*x.shape[:axis], *self.unflattened_size, *x.shape[axis + 1 :]])
