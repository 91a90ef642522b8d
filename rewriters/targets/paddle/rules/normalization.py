"""torch.native_layer_norm and its like: what is normalized, with the mean and the reciprocal deviation it took."""

import paddle
import torch

from rewriters.rule import rule
from rewriters.targets.paddle.rules.nn.functional.normalization import (
    norm_and_keep,
    norm_by_batch,
    norm_by_statistics,
    norm_of_each,
    norm_of_instances,
)


@rule(torch.native_layer_norm)
def native_layer_norm(input, normalized_shape, weight, bias, eps):
    normed, mean, deviation = standardized(input, list(range(-len(normalized_shape), 0)), eps)
    normed = normed if weight is None else normed * weight
    return normed if bias is None else normed + bias, mean, deviation


@rule(torch.native_batch_norm)
def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    channels = [1, -1] + [1] * (input.ndim - 2)
    if training:
        axes = [axis for axis in range(input.ndim) if axis != 1]
        normed, mean, deviation = standardized(input, axes, eps)
        if running_mean is not None:
            with paddle.no_grad():
                count = input.size // mean.size
                variance = (1 / deviation**2 - eps).flatten() * (count / max(count - 1, 1))
                paddle.assign(running_mean * (1 - momentum) + mean.flatten() * momentum, running_mean)
                paddle.assign(running_var * (1 - momentum) + variance * momentum, running_var)
        mean, deviation = mean.flatten(), deviation.flatten()
    else:
        deviation = paddle.rsqrt(running_var + eps).reshape(channels)
        normed = (input - running_mean.reshape(channels)) * deviation
        mean, deviation = paddle.zeros([0], dtype=input.dtype), paddle.zeros([0], dtype=input.dtype)
    normed = normed if weight is None else normed * weight.reshape(channels)
    return normed if bias is None else normed + bias.reshape(channels), mean, deviation


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


@rule(torch.group_norm)
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True):
    # without them its gradient is wrong
    weight = paddle.ones([input.shape[1]], dtype=input.dtype) if weight is None else weight
    bias = paddle.zeros([input.shape[1]], dtype=input.dtype) if bias is None else bias
    return paddle.nn.functional.group_norm(input, num_groups, epsilon=eps, weight=weight, bias=bias)


@rule(torch.rms_norm)
def rms_norm(input, normalized_shape, weight=None, eps=None):
    axes = list(range(-len(normalized_shape), 0))
    scale = paddle.rsqrt(
        (input * input).mean(axis=axes, keepdim=True) + (1.1920928955078125e-07 if eps is None else eps)
    )
    return input * scale if weight is None else input * scale * weight


@rule(torch.batch_norm)
def plain_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    if not training:
        if weight is None and bias is None:
            return paddle.nn.functional.batch_norm(input, running_mean, running_var, epsilon=eps)
        return norm_by_statistics(input, running_mean, running_var, weight, bias, eps)
    if running_mean is None:
        return norm_by_batch(input, weight, bias, eps)
    return norm_and_keep(input, running_mean, running_var, weight, bias, momentum, eps)


@rule(torch.instance_norm)
def plain_instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    if running_mean is not None:
        return norm_of_instances(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)
    if weight is None and bias is None:
        return paddle.nn.functional.instance_norm(input, eps=eps)
    return norm_of_each(input, weight, bias, eps)
