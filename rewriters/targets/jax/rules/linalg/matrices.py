"""torch.linalg: matrices made of, and taken out of, others."""

import jax.numpy as jnp
import torch

from rewriters.rule import IntTensor, rule


@rule(torch.linalg.vander)
def linalg_vander(x, *, N=None):
    powers = jnp.arange(x.shape[-1] if N is None else N)
    return jnp.expand_dims(x, -1) ** powers.astype(x.dtype)


@rule(torch.linalg.vander)
def linalg_vander(x: IntTensor, *, N=None):
    return jnp.expand_dims(x, -1).astype(jnp.int64) ** jnp.arange(x.shape[-1] if N is None else N)


@rule(torch.linalg.diagonal)
def linalg_diagonal(input, *, offset=0, dim1=-2, dim2=-1):
    return jnp.diagonal(input, offset, dim1, dim2)
