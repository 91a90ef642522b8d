"""Initial values as torch's layers have them, and settings for each axis."""

import jax
import jax.numpy as jnp


def within(fan_in):
    """Uniform up to 1/sqrt(fan_in) on both sides of 0: weights and biases of torch's linear layers and convolutions."""
    bound = fan_in**-0.5 if fan_in > 0 else 0

    def init(key, shape, dtype=jnp.float32, out_sharding=None):
        return jax.random.uniform(key, shape, dtype, -bound, bound)

    return init


def draw_anew(layer, draw, init):
    """Give a layer's weight and bias first values again.

    draw: gives a key.
    """
    for held in (layer.weight, layer.bias):
        if held is not None:
            held.set_value(init(draw(), held.shape, held.dtype))


def plain_again(layer):
    """Give a normalization's weight and bias ones and zeros again."""
    if layer.weight is not None:
        layer.weight.set_value(jnp.ones(layer.weight.shape, layer.weight.dtype))
    if layer.bias is not None:
        layer.bias.set_value(jnp.zeros_like(layer.bias[...]))


def on_axes(value, count):
    """A number for each axis."""
    value = (value,) if isinstance(value, int) else tuple(value)
    return value * count if len(value) == 1 else value
