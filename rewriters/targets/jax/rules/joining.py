"""Joining."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import alias, rule

alias(torch.Tensor, "jax.Array")


@rule(torch.cat, torch.concat, torch.concatenate)
def cat(tensors, dim=0):
    return jnp.concatenate(tensors, axis=dim)


@rule(torch.Tensor.add_)
def add_(self, other):
    self = self + other
    return self


@rule(torch.Tensor.add)
def add(self, other):
    return jnp.add(self, other)


@rule(torch.nn.functional.relu)
def relu(input, inplace=False):
    return jax.nn.relu(input)
