"""torch.nn.utils: weight norm."""

import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.modules.computed import computed, settled
from rewriters.targets.jax.rules.nn.modules.module import Module


def length(weight, dim):
    """The norm over all axes but one."""
    axes = None if dim is None or dim == -1 else [axis for axis in range(weight.ndim) if axis != dim % weight.ndim]
    return jnp.sqrt((weight * weight).sum(axes, keepdims=axes is not None))


@rule(torch.nn.utils.weight_norm)
def weight_norm(module, name="weight", dim=0):
    def value_of(module):
        direction = getattr(module, f"{name}_v")[...]
        return direction * (getattr(module, f"{name}_g")[...] / length(direction, dim))

    weight = computed(module, name, value_of)
    setattr(module, f"{name}_g", nnx.Param(length(weight, dim)))
    setattr(module, f"{name}_v", nnx.Param(weight))
    return module


@rule(torch.nn.utils.remove_weight_norm)
def remove_weight_norm(module, name="weight"):
    return settled(module, name, ("g", "v"))


class Originals(Module):
    """What a parameter is computed of, under the names that torch's parametrizations give it."""


@rule(torch.nn.utils.parametrizations.weight_norm)
def parametrized_weight_norm(module, name="weight", dim=0):
    def value_of(module):
        held = getattr(module.parametrizations, name)
        direction = held.original1[...]
        return direction * (held.original0[...] / length(direction, dim))

    weight = computed(module, name, value_of)
    held = Originals()
    held.original0, held.original1 = nnx.Param(length(weight, dim)), nnx.Param(weight)
    if not hasattr(module, "parametrizations"):
        module.parametrizations = Originals()
    setattr(module.parametrizations, name, held)
    return module
