"""What is made of an array that a function of numpy's gave of tensors."""

import jax.numpy as jnp


def of_array(array):
    return jnp.asarray(array)
