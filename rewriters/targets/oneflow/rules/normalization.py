"""torch: norms."""

import math

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.nn.functional.normalization import batch_norm, instance_norm, scaled


@rule(torch.batch_norm)
def batch_norm_function(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@rule(torch.instance_norm)
def plain_instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    return instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


@rule(torch.native_layer_norm)
def native_layer_norm(input, normalized_shape, weight, bias, eps):
    axes = list(range(input.ndim - len(normalized_shape), input.ndim))
    mean = oneflow.mean(input, axes, keepdim=True)
    away = input - mean
    scale = oneflow.rsqrt(oneflow.mean(away * away, axes, keepdim=True) + eps)
    found = away * scale if weight is None else away * scale * weight
    return found if bias is None else found + bias, mean, scale


@rule(torch.native_group_norm)
def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    if 0 in input.shape:
        mean = oneflow.zeros(N, group, dtype=input.dtype, device=input.device)
        return input.clone(), mean, mean + math.nan
    rows = input.reshape(N, group, -1)
    mean = oneflow.mean(rows, 2, keepdim=True)
    away = rows - mean
    scale = oneflow.rsqrt(oneflow.mean(away * away, 2, keepdim=True) + eps)
    found = scaled((away * scale).reshape(input.shape), weight, bias)
    return found, mean.reshape(N, group), scale.reshape(N, group)


@rule(torch.native_batch_norm)
def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    axes = [axis for axis in range(input.ndim) if axis != 1]
    if not training:
        shape = [1, -1] + [1] * (input.ndim - 2)
        found = (input - running_mean.reshape(shape)) * oneflow.rsqrt(running_var.reshape(shape) + eps)
        empty = oneflow.zeros(0, dtype=input.dtype, device=input.device)
        return scaled(found, weight, bias), empty, empty.clone()
    mean = oneflow.mean(input, axes, keepdim=True)
    away = input - mean
    var = oneflow.mean(away * away, axes, keepdim=True)
    scale = oneflow.rsqrt(var + eps)
    if running_mean is not None:
        count = input.numel() // mean.numel()
        with oneflow.no_grad():
            running_mean[...] = running_mean * (1 - momentum) + mean.detach().reshape(-1) * momentum
            exact_var = var.detach().reshape(-1) * (count / max(count - 1, 1))
            running_var[...] = running_var * (1 - momentum) + exact_var * momentum
    return scaled(away * scale, weight, bias), mean.reshape(-1), scale.reshape(-1)
