"""torch.native_layer_norm and its like: what is normalized, with the mean and the reciprocal deviation it took."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.native_layer_norm)
def native_layer_norm(input, normalized_shape, weight, bias, eps):
    normed, mean, deviation = standardized(input, list(range(-len(normalized_shape), 0)), eps)
    normed = normed if weight is None else normed * weight
    return normed if bias is None else normed + bias, mean, deviation


@rule(torch.native_group_norm)
def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    grouped = input.reshape([N, group, C // group * HxW])
    normed, mean, deviation = standardized(grouped, [-1], eps)
    normed, channels = normed.reshape(input.shape), [1, C] + [1] * (input.ndim - 2)
    normed = normed if weight is None else normed * weight.reshape(channels)
    normed = normed if bias is None else normed + bias.reshape(channels)
    return normed, mean.squeeze(-1), deviation.squeeze(-1)


def standardized(x, axes, eps):
    """x without its mean, over its deviation; the mean; one over the deviation."""
    mean = x.mean(axis=axes, keepdim=True)
    deviation = paddle.rsqrt(((x - mean) ** 2).mean(axis=axes, keepdim=True) + eps)
    return (x - mean) * deviation, mean, deviation
