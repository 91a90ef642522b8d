"""torch.nn.modules: normalization within a sample."""

import math

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.nn.functional.normalization import local_response_norm
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.modules.stored import View
from rewriters.targets.jax.rules.nn.modules.weights import plain_again

same("torch.nn.LayerNorm.reset_parameters", "torch.nn.RMSNorm.reset_parameters", "torch.nn.GroupNorm.reset_parameters")
same(
    "torch.nn.LayerNorm.weight", "torch.nn.LayerNorm.bias", "torch.nn.LayerNorm.normalized_shape",
    "torch.nn.LayerNorm.eps", "torch.nn.LayerNorm.elementwise_affine", "torch.nn.GroupNorm.weight",
    "torch.nn.GroupNorm.bias", "torch.nn.GroupNorm.num_groups", "torch.nn.GroupNorm.num_channels",
    "torch.nn.GroupNorm.eps", "torch.nn.GroupNorm.affine", "torch.nn.RMSNorm.weight", "torch.nn.RMSNorm.eps",
    "torch.nn.RMSNorm.normalized_shape",
)  # fmt: skip


class OverLast(Module):
    """A normalization over the last axes. Its parameters have one axis, as nnx's have."""

    torchs = {"scale": ("weight", None)}

    def __init__(self, normalized_shape, eps, scaled, biased, dtype):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine, size = eps, scaled, math.prod(self.normalized_shape)
        self.scale = nnx.Param(jnp.ones(size, dtype or jnp.float32)) if scaled else None
        self.bias = nnx.Param(jnp.zeros(size, dtype or jnp.float32)) if biased else None

    @property
    def torchs_shape(self):
        return self.normalized_shape if len(self.normalized_shape) > 1 else None

    @property
    def weight(self):
        plain = self.scale is None or self.torchs_shape is None
        return self.scale if plain else View(self.scale, None, self.torchs_shape)

    @weight.setter
    def weight(self, value):
        self.scale = value

    def reset_parameters(self):
        plain_again(self)

    def scaled(self, x):
        x = x if self.scale is None else x * self.scale.reshape(self.normalized_shape)
        return x if self.bias is None else x + self.bias.reshape(self.normalized_shape)


@rule(torch.nn.LayerNorm)
class LayerNorm(OverLast):
    def __init__(
        self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None, *, rngs=None
    ):
        super().__init__(normalized_shape, eps, elementwise_affine, elementwise_affine and bias, dtype)

    def __call__(self, input):
        axes = tuple(range(-len(self.normalized_shape), 0))
        mean, variance = jnp.mean(input, axes, keepdims=True), jnp.var(input, axes, keepdims=True)
        return self.scaled((input - mean) * jax.lax.rsqrt(variance + self.eps))


@rule(torch.nn.RMSNorm)
class RMSNorm(OverLast):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None, *, rngs=None):
        super().__init__(normalized_shape, eps, elementwise_affine, False, dtype)

    def __call__(self, input):
        axes = tuple(range(-len(self.normalized_shape), 0))
        eps = jnp.finfo(input.dtype).eps if self.eps is None else self.eps
        return self.scaled(input * jax.lax.rsqrt(jnp.mean(input * input, axes, keepdims=True) + eps))


@rule(torch.nn.GroupNorm)
class GroupNorm(Module):
    torchs = {"scale": ("weight", None)}

    def __init__(
        self, num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, *, bias=True, rngs=None
    ):
        super().__init__()
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.scale = nnx.Param(jnp.ones(num_channels, dtype or jnp.float32)) if affine else None
        self.bias = nnx.Param(jnp.zeros(num_channels, dtype or jnp.float32)) if affine and bias else None

    @property
    def weight(self):
        return self.scale

    @weight.setter
    def weight(self, value):
        self.scale = value

    def reset_parameters(self):
        plain_again(self)

    def __call__(self, input):
        x = input.reshape(input.shape[0], self.num_groups, -1)
        mean, variance = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
        x = ((x - mean) * jax.lax.rsqrt(variance + self.eps)).reshape(input.shape)
        shape = (1, -1, *[1] * (input.ndim - 2))
        x = x if self.scale is None else x * self.scale.reshape(shape)
        return x if self.bias is None else x + self.bias.reshape(shape)


@rule(torch.nn.LocalResponseNorm)
class LocalResponseNorm(Module):
    def __init__(self, size, alpha=0.0001, beta=0.75, k=1.0):
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def __call__(self, input):
        return local_response_norm(input, self.size, self.alpha, self.beta, self.k)
