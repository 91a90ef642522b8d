"""torch.linalg: norms."""

import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.norms import matrix_norm_of, vector_norm_of


@rule(torch.linalg.vector_norm)
def vector_norm(input, ord=2, dim=None, keepdim=False, *, dtype=None):
    return vector_norm_of(input, ord, dim, keepdim, dtype)


@rule(torch.linalg.matrix_norm)
def matrix_norm(input, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    if ord == "fro":
        return vector_norm_of(input, 2, dim, keepdim, dtype)
    return matrix_norm_of(input, ord, dim, keepdim, dtype)


@rule(torch.linalg.norm)
def linalg_norm(input, ord=None, dim=None, keepdim=False, *, dtype=None):
    if ord is None or ord == "fro":
        return vector_norm_of(input, 2, dim, keepdim, dtype)
    axes = [dim] if isinstance(dim, int) else list(range(input.ndim)) if dim is None else dim
    if len(axes) == 2:
        return matrix_norm_of(input, ord, axes, keepdim, dtype)
    return vector_norm_of(input, ord, dim, keepdim, dtype)
