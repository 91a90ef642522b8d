"""Initial values as torch's layers have them, and settings for each axis."""

import jax
import jax.numpy as jnp


def within(fan_in):
    """Uniform up to 1/sqrt(fan_in) on both sides of 0: weights and biases of torch's linear layers and convolutions."""
    bound = fan_in**-0.5 if fan_in > 0 else 0

    def init(key, shape, dtype=jnp.float32, out_sharding=None):
        return jax.random.uniform(key, shape, dtype, -bound, bound)

    return init


def on_axes(value, count):
    """A number for each axis."""
    value = (value,) if isinstance(value, int) else tuple(value)
    return value * count if len(value) == 1 else value
