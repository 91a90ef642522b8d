"""torch.autograd: what asks for gradients. Training steps and calls of grad become functions (training.py)."""

import jax
import torch

from rewriters.rule import alias, rule

alias("torch.autograd.Variable:test", "jax.Array")
alias("torch.autograd.Variable:annotated", "jax.Array")


@rule(torch.autograd.Variable)
def Variable(data, requires_grad=False, volatile=False):
    # a leaf, also of what was computed
    return jax.lax.stop_gradient(data)
