"""Norms of vectors and matrices."""

import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.slopes import absolute


def vector_norm_of(x, p, dim, keepdim, dtype=None):
    """The p-norm; its gradient at 0 is 0, as torch's."""
    x = jnp.asarray(x, dtype)  # also of a parameter in torch's layout
    axis = None if x.ndim == 0 else dim if dim is None or isinstance(dim, int) else tuple(dim) or None
    size = absolute(x)
    if p == 0:
        return jnp.sum(size != 0, axis=axis, keepdims=keepdim).astype(size.dtype)
    if p == float("inf"):
        return jnp.max(size, axis=axis, keepdims=keepdim)
    if p == float("-inf"):
        return jnp.min(size, axis=axis, keepdims=keepdim)
    if p == 1:
        return jnp.sum(size, axis=axis, keepdims=keepdim)
    if p == 2:
        squares = jnp.sum(x.real**2 + x.imag**2 if jnp.iscomplexobj(x) else x * x, axis=axis, keepdims=keepdim)
        none = squares == 0
        return jnp.where(none, 0, jnp.sqrt(jnp.where(none, 1, squares)))
    if p < 0:
        return jnp.sum(size**p, axis=axis, keepdims=keepdim) ** (1 / p)
    powers = jnp.sum(jnp.where(size == 0, 0, jnp.where(size == 0, 1, size) ** p), axis=axis, keepdims=keepdim)
    none = powers == 0
    return jnp.where(none, 0, jnp.where(none, 1, powers) ** (1 / p))


def matrix_norm_of(x, order, dim, keepdim, dtype=None):
    x = x if dtype is None else x.astype(dtype)
    return jnp.linalg.norm(x, ord=order, axis=tuple(dim), keepdims=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    if p == "nuc":
        axes = (0, 1) if dim is None else dim
        return matrix_norm_of(input, "nuc", axes, keepdim, dtype)
    return vector_norm_of(input, 2 if p is None or p == "fro" else p, dim, keepdim, dtype)
