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


@rule(torch.nn.utils.fuse_conv_bn_weights)
def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    factor, bias = norm_factors(conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)
    shape = [1] * len(conv_w.shape)
    shape[1 if transpose else 0] = -1
    return nnx.Param((conv_w[...] * factor.reshape(shape)).astype(conv_w.dtype)), nnx.Param(bias)


@rule(torch.nn.utils.fuse_linear_bn_weights)
def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    factor, bias = norm_factors(linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)
    return nnx.Param((linear_w[...] * factor.reshape(-1, 1)).astype(linear_w.dtype)), nnx.Param(bias)


def fused(layer, bn, weights, *more):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    found = copy.deepcopy(layer)
    weight, bias = weights(layer.weight, layer.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, *more)
    found.weight.set_value(weight[...])
    found.bias = bias
    return found


@rule(torch.nn.utils.fuse_conv_bn_eval)
def fuse_conv_bn_eval(conv, bn, transpose=False):
    return fused(conv, bn, fuse_conv_bn_weights, transpose)


@rule(torch.nn.utils.fuse_linear_bn_eval)
def fuse_linear_bn_eval(linear, bn):
    return fused(linear, bn, fuse_linear_bn_weights)


@rule(torch.nn.utils.convert_conv2d_weight_memory_format, torch.nn.utils.convert_conv3d_weight_memory_format)
def convert_weight_memory_format(module, memory_format):
    # the compiler lays arrays out
    return module
