"""torch.nn.modules: shapes."""

import math

import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.modules.module import Module


@rule(torch.nn.Flatten)
class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def __call__(self, input):
        first, last = self.start_dim % input.ndim, self.end_dim % input.ndim
        shape = input.shape
        return input.reshape(*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :])


@rule(torch.nn.Unflatten)
class Unflatten(Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim, self.unflattened_size = dim, tuple(unflattened_size)

    def __call__(self, input):
        dim, shape = self.dim % input.ndim, input.shape
        return input.reshape(*shape[:dim], *self.unflattened_size, *shape[dim + 1 :])
