"""torch.nn.utils: parameters as one vector, and back."""

import math

import jax.numpy as jnp
import torch

from rewriters.rule import rule


@rule(torch.nn.utils.parameters_to_vector)
def parameters_to_vector(parameters):
    return jnp.concatenate([jnp.ravel(parameter[...]) for parameter in parameters])


@rule(torch.nn.utils.vector_to_parameters)
def vector_to_parameters(vec, parameters):
    start = 0
    for parameter in parameters:
        size = math.prod(parameter.shape)
        parameter.set_value(vec[start : start + size].reshape(parameter.shape).astype(parameter.dtype))
        start += size
