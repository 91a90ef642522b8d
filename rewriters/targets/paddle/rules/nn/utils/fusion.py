"""Layers made one: a batch norm taken into the convolution or the Linear before it; spectral norm taken off."""

import copy

import paddle
import torch

from rewriters.rule import rule


def norm_factors(bias, mean, variance, eps, weight, shift):
    """What the outputs are multiplied by, and the bias afterwards."""
    factor = paddle.rsqrt(variance + eps) * (1 if weight is None else weight)
    before = paddle.zeros_like(mean) if bias is None else bias
    shifted = (before - mean) * factor + (0 if shift is None else shift)
    return factor, shifted.astype(before.dtype)


def parameter_of(value):
    """A parameter with this value."""
    value = value.detach()
    return paddle.create_parameter(value.shape, value.dtype, default_initializer=paddle.nn.initializer.Assign(value))


@rule(torch.nn.utils.fuse_conv_bn_weights)
def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    factor, bias = norm_factors(conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)
    shape = [1] * conv_w.ndim
    shape[1 if transpose else 0] = -1
    return parameter_of(conv_w * factor.reshape(shape)), parameter_of(bias)


@rule(torch.nn.utils.fuse_linear_bn_weights)
def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    # (out, in), as it is of a layer whose weight is looked at
    factor, bias = norm_factors(linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)
    return parameter_of(linear_w * factor.reshape([-1, 1])), parameter_of(bias)


def fused(layer, bn, weights, *more):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    found = copy.deepcopy(layer)
    found.weight, found.bias = weights(
        layer.weight, layer.bias, bn._mean, bn._variance, bn._epsilon, bn.weight, bn.bias, *more
    )
    return found


@rule(torch.nn.utils.fuse_conv_bn_eval)
def fuse_conv_bn_eval(conv, bn, transpose=False):
    return fused(conv, bn, fuse_conv_bn_weights, transpose)


@rule(torch.nn.utils.fuse_linear_bn_eval)
def fuse_linear_bn_eval(linear, bn):
    own = isinstance(linear, paddle.compat.nn.Linear)
    return fused(linear, bn, fuse_linear_bn_weights if own else fuse_columns)


def fuse_columns(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """Of a weight that is (in, out)."""
    factor, bias = norm_factors(linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)
    return parameter_of(linear_w * factor), parameter_of(bias)
