"""torch: what a quantization would make of values, with the gradient of what it leaves as it is."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule


def fake_quantized(x, scale, zero_point, quant_min, quant_max):
    places = jnp.round(jax.lax.stop_gradient(x) / scale) + zero_point
    inside = (places >= quant_min) & (places <= quant_max)
    found = (jnp.clip(places, quant_min, quant_max) - zero_point) * scale
    return (found + (x - jax.lax.stop_gradient(x)) * inside).astype(x.dtype)


@rule(torch.fake_quantize_per_tensor_affine)
def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    return fake_quantized(input, scale, zero_point, quant_min, quant_max)


@rule(torch.fake_quantize_per_channel_affine)
def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    shape = [1] * input.ndim
    shape[axis] = -1
    return fake_quantized(input, scale.reshape(shape), zero_point.reshape(shape), quant_min, quant_max)
