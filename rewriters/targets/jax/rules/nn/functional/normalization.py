"""torch.nn.functional: normalization."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import Rank, rule
from rewriters.targets.jax.rules.norms import vector_norm_of
from rewriters.targets.jax.rules.promoted_dtypes import alike
from rewriters.targets.jax.rules.promotion_of_operators import floating


def by_channel(value, ndim):
    """A value for each channel, beside an input of so many axes."""
    return value.reshape(1, -1, *[1] * (ndim - 2)) if ndim > 1 else value


@rule(torch.nn.functional.batch_norm)
def batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training: bool = False, momentum=0.1, eps=1e-05
):
    if training and running_mean is not None:
        raise NotImplementedError("a JAX array does not change, so that no running mean follows; use nnx.BatchNorm")
    if training:
        axes = (0, *range(2, input.ndim))
        running_mean, running_var = jnp.mean(input, axes), jnp.var(input, axes)
    found = (input - by_channel(running_mean, input.ndim)) * jax.lax.rsqrt(by_channel(running_var, input.ndim) + eps)
    if weight is not None:
        found = found * by_channel(weight, input.ndim)
    return found if bias is None else found + by_channel(bias, input.ndim)


def over_last(x, count, eps):
    axes = tuple(range(-count, 0))
    mean = jnp.mean(x, axes, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(jnp.var(x, axes, keepdims=True) + eps)


@rule(torch.nn.functional.layer_norm, torch.layer_norm)
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True):
    found = over_last(input, len(normalized_shape), eps)
    found = found if weight is None else found * weight
    return found if bias is None else found + bias


@rule(torch.nn.functional.rms_norm, torch.rms_norm)
def rms_norm(input, normalized_shape, weight=None, eps=None):
    axes = tuple(range(-len(normalized_shape), 0))
    eps = jnp.finfo(input.dtype).eps if eps is None else eps
    found = input * jax.lax.rsqrt(jnp.mean(input * jnp.conj(input), axes, keepdims=True) + eps)
    return found if weight is None else found * weight


@rule(torch.nn.functional.group_norm, torch.group_norm)
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True):
    found = over_last(input.reshape(input.shape[0], num_groups, -1), 1, eps).reshape(input.shape)
    found = found if weight is None else found * by_channel(weight, input.ndim)
    return found if bias is None else found + by_channel(bias, input.ndim)


@rule(torch.nn.functional.instance_norm)
def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05
):
    if use_input_stats and running_mean is not None:
        raise NotImplementedError("a JAX array does not change, so that no running mean follows; keep it in the module")
    if use_input_stats:
        found = over_last(input, input.ndim - 2, eps)
    else:
        mean, variance = (by_channel(value, input.ndim) for value in (running_mean, running_var))
        found = (input - mean) * jax.lax.rsqrt(variance + eps)
    found = found if weight is None else found * by_channel(weight, input.ndim)
    return found if bias is None else found + by_channel(bias, input.ndim)


@rule(torch.nn.functional.local_response_norm)
def local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    squares = jnp.pad(input**2, [(0, 0), (size // 2, (size - 1) // 2), *[(0, 0)] * (input.ndim - 2)])
    mean = sum(squares[:, n : n + input.shape[1]] for n in range(size)) / size
    return input / (mean * alpha + k) ** beta


@rule(torch.nn.functional.normalize)
def normalize(input, p=2.0, dim=1, eps=1e-12):
    size = jnp.abs(input)
    if p == 2:
        squares = jnp.sum(size**2, axis=dim, keepdims=True)
        norm = jnp.where(squares == 0, 0, jnp.sqrt(jnp.where(squares == 0, 1, squares)))
    else:
        norm = vector_norm_of(input, p, dim, True)
    return input / jnp.maximum(norm, eps)


@rule(torch.nn.functional.cosine_similarity, torch.cosine_similarity)
def cosine_similarity(x1, x2, dim=1, eps=1e-08):
    x1, x2 = jnp.broadcast_arrays(*alike(x1, x2))  # squares of narrow integers would overflow
    product = jnp.sum(x1 * x2, axis=dim)
    squares = [jnp.maximum(jnp.sum(x * x, axis=dim), eps**2) for x in (x1, x2)]
    return product / (jnp.sqrt(squares[0]) * jnp.sqrt(squares[1]))


@rule(torch.nn.functional.pairwise_distance, torch.pairwise_distance)
def pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False):
    return vector_norm_of(floating(x1 - x2) + eps, p, -1, keepdim)


@rule(torch.nn.functional.normalize)
def normalize(input: Rank[0], p=2.0, dim=1, eps=1e-12):
    return input / jnp.maximum(jnp.abs(input), eps)
