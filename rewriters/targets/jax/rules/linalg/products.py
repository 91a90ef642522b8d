"""torch.linalg: products."""

import jax.numpy as jnp
import torch

from rewriters.rule import rule


@rule(torch.linalg.multi_dot)
def multi_dot(tensors):
    return jnp.linalg.multi_dot(tensors)


@rule(torch.linalg.cross)
def linalg_cross(input, other, *, dim=-1):
    return jnp.cross(*jnp.broadcast_arrays(input, other), axis=dim)


@rule(torch.linalg.vecdot)
def vecdot(input, other, *, dim=-1):
    return jnp.linalg.vecdot(input, other, axis=dim)
