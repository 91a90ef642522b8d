"""torch.linalg: products."""

import jax.numpy as jnp
import torch

from rewriters.rule import becomes, rule

becomes(torch.linalg.multi_dot, jnp.linalg.multi_dot)


@rule(torch.linalg.cross)
def linalg_cross(input, other, *, dim=-1):
    return jnp.cross(*jnp.broadcast_arrays(input, other), axis=dim)


@rule(torch.linalg.vecdot)
def vecdot(input, other, *, dim=-1):
    return jnp.linalg.vecdot(input, other, axis=dim)
