"""torch.nn.functional: normalization."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.linalg.norms import norm_of


@rule(torch.nn.functional.layer_norm, torch.layer_norm)
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True):
    count = len(normalized_shape)
    if count < input.ndim and (weight is None) == (bias is None):
        return oneflow.nn.functional.layer_norm(input, tuple(normalized_shape), weight, bias, eps)
    axes = list(range(input.ndim - count, input.ndim))
    away = input - oneflow.mean(input, axes, keepdim=True)
    found = away * oneflow.rsqrt(oneflow.mean(away * away, axes, keepdim=True) + eps)
    found = found if weight is None else found * weight
    return found if bias is None else found + bias


@rule(torch.nn.functional.rms_norm, torch.rms_norm)
def rms_norm(input, normalized_shape, weight=None, eps=None):
    axes = list(range(input.ndim - len(normalized_shape), input.ndim))
    limit = oneflow.finfo(input.dtype).eps if eps is None else eps
    found = input * oneflow.rsqrt(oneflow.mean(input * input, axes, keepdim=True) + limit)
    return found if weight is None else found * weight


@rule(torch.nn.functional.group_norm, torch.group_norm)
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True):
    if 0 in input.shape:
        return input.clone()
    rows = input.reshape(input.shape[0], num_groups, -1)
    away = rows - oneflow.mean(rows, 2, keepdim=True)
    found = (away * oneflow.rsqrt(oneflow.mean(away * away, 2, keepdim=True) + eps)).reshape(input.shape)
    return scaled(found, weight, bias)


def scaled(found, weight, bias):
    """Times a weight and plus a bias of each channel."""
    shape = [1, -1] + [1] * (found.ndim - 2)
    found = found if weight is None else found * weight.reshape(shape)
    return found if bias is None else found + bias.reshape(shape)


@rule(torch.nn.functional.instance_norm)
def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05
):
    if not use_input_stats:
        shape = [1, -1] + [1] * (input.ndim - 2)
        found = (input - running_mean.reshape(shape)) * oneflow.rsqrt(running_var.reshape(shape) + eps)
        return scaled(found, weight, bias)
    rows = input.reshape(input.shape[0], input.shape[1], -1)
    mean = oneflow.mean(rows, 2, keepdim=True)
    away = rows - mean
    var = oneflow.mean(away * away, 2, keepdim=True)
    if running_mean is not None:
        count = rows.shape[2]
        running_mean[...] = running_mean * (1 - momentum) + oneflow.mean(mean.detach(), 0).reshape(-1) * momentum
        spread = oneflow.mean(var.detach(), 0).reshape(-1) * (count / (count - 1))
        running_var[...] = running_var * (1 - momentum) + spread * momentum
    return scaled((away * oneflow.rsqrt(var + eps)).reshape(input.shape), weight, bias)


@rule(torch.nn.functional.batch_norm)
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    if weight is None and bias is not None:  # OneFlow's own leaves out one that stands alone
        weight = oneflow.ones_like(bias)
    if bias is None and weight is not None:
        bias = oneflow.zeros_like(weight)
    if input.ndim > 1 and not (training and running_mean is None):
        return oneflow.nn.functional.batch_norm(
            input, running_mean, running_var, weight, bias, training, 0.1 if momentum is None else momentum, eps
        )
    return normalized(input, running_mean, running_var, weight, bias, training, eps)


def normalized(input, running_mean, running_var, weight, bias, training, eps):
    """Batch normalization without running statistics that are brought up to date."""
    shape = [1, -1] + [1] * (input.ndim - 2)
    axes = [0, *range(2, input.ndim)]
    mean = oneflow.mean(input, axes, keepdim=True) if training else running_mean.reshape(shape)
    away = input - mean
    var = oneflow.mean(away * away, axes, keepdim=True) if training else running_var.reshape(shape)
    return scaled(away * oneflow.rsqrt(var + eps), weight, bias)


@rule(torch.nn.functional.local_response_norm)
def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    channels = input.shape[1]
    flat = (input * input).reshape(input.shape[0], channels, -1)
    # zeros beside the channels, so that each sum has as many summands
    before = oneflow.nn.functional.pad(flat, (0, 0, size // 2, (size - 1) // 2))
    total = oneflow.narrow(before, 1, 0, channels)
    for shift in range(1, size):
        total = total + oneflow.narrow(before, 1, shift, channels)
    return input / oneflow.pow(total.reshape(input.shape) * (alpha / size) + k, beta)


@rule(torch.nn.functional.normalize)
def normalize(input, p=2.0, dim=1, eps=1e-12):
    if isinstance(dim, (tuple, list)):
        return input / oneflow.clamp(norm_of(input, p, dim, True), min=eps)
    if p == 2 and eps != 1e-12:  # OneFlow's is the least square
        return oneflow.nn.functional.normalize(input, p=p, dim=dim, eps=eps**2)
    return oneflow.nn.functional.normalize(input, p=p, dim=dim, eps=eps)
