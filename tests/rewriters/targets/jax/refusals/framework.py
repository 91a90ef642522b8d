"""JAX with Flax NNX, as its probes are run. Its answers on a GPU are not tried."""

from __future__ import annotations

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.export
import jax.numpy as jnp  # what converted sources call it
import jax.scipy.linalg
import jax.scipy.stats
from flax import nnx
from probing import Framework

jax.config.update("jax_enable_x64", True)  # as converted programs have it

FRAMEWORK = Framework(
    package="jax",
    aliases=("jnp", "nnx"),  # as converted sources import them
    classes=(jax.Array, nnx.Module),
    inside=("jax.interpreters", "jax.extend", "jax.experimental"),
    reset=lambda: None,
)
__all__ = ["FRAMEWORK", "jax", "jnp", "nnx"]
