"""Layers made one: a batch norm taken into the convolution or the Linear before it."""

import copy

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule


def norm_factors(bias, mean, variance, eps, weight, shift):
    """What the outputs are multiplied by, and the bias afterwards."""
    factor = jax.lax.rsqrt(variance[...] + eps) * (1 if weight is None else weight[...])
    before = jnp.zeros_like(mean[...]) if bias is None else bias[...]
    shifted = (before - mean[...]) * factor + (0 if shift is None else shift[...])
    return factor, shifted.astype(before.dtype)


def scaled(weight, axis, factor):
    shape = [1] * len(weight.shape)
    shape[axis] = -1
    return (weight[...] * factor.reshape(shape)).astype(weight.dtype)


def fused(layer, bn, axis):
    """axis: of the layer's outputs, in its weight."""
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    factor, bias = norm_factors(layer.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias)
    found = copy.deepcopy(layer)
    # parameters of its own: no gradient goes back to those that they are made of
    found.weight.set_value(jax.lax.stop_gradient(scaled(layer.weight, axis, factor)))
    found.bias = nnx.Param(jax.lax.stop_gradient(bias))
    return found


@rule(torch.nn.utils.fuse_conv_bn_eval)
def fuse_conv_bn_eval(conv, bn, transpose=False):
    return fused(conv, bn, 1 if transpose else 0)


@rule(torch.nn.utils.fuse_linear_bn_eval)
def fuse_linear_bn_eval(linear, bn):
    return fused(linear, bn, 0)


@rule(torch.nn.utils.convert_conv2d_weight_memory_format, torch.nn.utils.convert_conv3d_weight_memory_format)
def convert_weight_memory_format(module, memory_format):
    # the compiler lays arrays out
    return module
