"""The texts of dtypes, sizes and devices, as torch writes them."""

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule


@rule(torch.dtype.__str__)
def dtype_text(self):
    return "torch." + jnp.dtype(self).name


@rule("torch.dtype.__str__:owner")
def dtype_text_of(owner):
    name = str(owner.dtype)
    return f"torch.{name}" if isinstance(owner, (jax.Array, nnx.Variable)) else name  # an array of numpy's has its own


@rule(torch.Size.__str__)
def size_text(self):
    return f"torch.Size({list(self)})"


@rule("torch.Size.__str__:owner")
def size_text_of(owner):
    return f"torch.Size({list(owner.shape)})" if isinstance(owner, (jax.Array, nnx.Variable)) else str(owner.shape)


@rule(torch.device.__str__)
def device_text(self):
    return "cpu" if self.platform == "cpu" else f"cuda:{self.id}"
