"""torch: norms."""

import math

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.nn.functional.normalization import batch_norm, scaled


@rule(torch.batch_norm)
def batch_norm_function(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


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
