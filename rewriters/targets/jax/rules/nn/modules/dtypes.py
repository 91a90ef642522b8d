"""The dtype of all that a module holds."""

import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.modules.stored import each_variable


@rule(torch.nn.Module.type)
def module_type(self, dst_type):
    """Whole numbers among it, which ``to`` leaves as they are."""
    if not isinstance(dst_type, jnp.dtype) and not hasattr(dst_type, "dtype"):
        raise NotImplementedError("give type() a dtype: torch.float32")
    for _, _, variable in each_variable(self, nnx.Variable):
        variable.set_value(variable.get_value().astype(dst_type))
    return self
