"""torch.nn.utils: spectral norm."""

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.modules.computed import computed, settled
from rewriters.targets.jax.rules.nn.parameter import Buffer


def rows_of(weight, dim):
    return jnp.moveaxis(weight, dim, 0).reshape(weight.shape[dim], -1)


def of_length_one(vector, eps):
    return vector / jnp.maximum(jnp.sqrt((vector * vector).sum()), eps)


@rule(torch.nn.utils.spectral_norm)
def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    if dim is None:
        dim = 1 if "Transpose" in type(module).__name__ else 0

    def value_of(module):
        weight = getattr(module, f"{name}_orig")[...]
        left, right = (jax.lax.stop_gradient(getattr(module, f"{name}_{end}")[...]) for end in "uv")
        return weight / (left @ (rows_of(weight, dim) @ right))

    def begin(module):
        if not module.training:
            return
        rows = jax.lax.stop_gradient(rows_of(getattr(module, f"{name}_orig")[...], dim))
        left, right = getattr(module, f"{name}_u"), getattr(module, f"{name}_v")
        for _ in range(n_power_iterations):
            right.set_value(of_length_one(rows.T @ left[...], eps))
            left.set_value(of_length_one(rows @ right[...], eps))

    weight = computed(module, name, value_of, begin)
    setattr(module, f"{name}_orig", nnx.Param(weight))
    for end, size in zip("uv", rows_of(weight, dim).shape, strict=True):
        drawn = rngs.params.normal((size,), weight.dtype)
        setattr(module, f"{name}_{end}", Buffer(of_length_one(drawn, eps)))
    return module


@rule(torch.nn.utils.remove_spectral_norm)
def remove_spectral_norm(module, name="weight"):
    return settled(module, name, ("orig", "u", "v"))
