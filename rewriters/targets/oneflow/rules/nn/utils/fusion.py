"""Layers made one: a batch norm taken into the convolution or the Linear before it."""

import copy

import oneflow
import torch

from rewriters.rule import rule


def norm_factors(bias, mean, variance, eps, weight, shift):
    """What the outputs are multiplied by, and the bias afterwards."""
    factor = oneflow.rsqrt(variance + eps) * (1 if weight is None else weight)
    return factor, ((0 if bias is None else bias) - mean) * factor + (0 if shift is None else shift)


@rule(torch.nn.utils.fuse_conv_bn_weights)
def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    factor, bias = norm_factors(conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)
    shape = [1, -1] if transpose else [-1, 1]
    weight = conv_w * factor.reshape(shape + [1] * (conv_w.ndim - 2))
    return oneflow.nn.Parameter(weight.detach()), oneflow.nn.Parameter(bias.detach())


@rule(torch.nn.utils.fuse_linear_bn_weights)
def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    factor, bias = norm_factors(linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)
    weight = (linear_w * factor.unsqueeze(-1)).detach().to(linear_w.dtype)
    bias = bias.detach().to(linear_w.dtype if linear_b is None else linear_b.dtype)
    return oneflow.nn.Parameter(weight), oneflow.nn.Parameter(bias)


def fused(layer, bn, weights, *more):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    found = copy.deepcopy(layer)
    norm = bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    found.weight, found.bias = weights(layer.weight, layer.bias, *norm, *more)
    return found


@rule(torch.nn.utils.fuse_conv_bn_eval)
def fuse_conv_bn_eval(conv, bn, transpose=False):
    return fused(conv, bn, fuse_conv_bn_weights, transpose)


@rule(torch.nn.utils.fuse_linear_bn_eval)
def fuse_linear_bn_eval(linear, bn):
    return fused(linear, bn, fuse_linear_bn_weights)
