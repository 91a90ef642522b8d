"""torch.nn.functional: activations and dropout."""

import math

import oneflow
import torch

from rewriters.rule import Rank, family, note, rule, same

note(torch.nn.functional.elu, torch.nn.ELU, "the sign of zero is lost, which a division by what it gives would show")
same("torch.nn.functional.relu")


@family("softmax log_softmax")
@rule(torch.nn.functional.softmax, torch.softmax)
def softmax(input, dim):
    return oneflow.nn.functional.softmax(input, dim=dim)


@family("softmax log_softmax")
@rule(torch.nn.functional.softmax, torch.softmax, torch.Tensor.softmax)
def softmax(input, dim, dtype):
    if dtype is None:
        return oneflow.nn.functional.softmax(input, dim=dim)
    return oneflow.nn.functional.softmax(input.to(dtype), dim=dim)


@family("softmax log_softmax")
@rule(torch.nn.functional.softmax)
def softmax(input, dim=None, _stacklevel=3, dtype=None):
    axis = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return oneflow.nn.functional.softmax(input if dtype is None else input.to(dtype), dim=axis)


@rule(torch.nn.functional.softmin)
def softmin(input, dim=None, _stacklevel=3, dtype=None):
    if input.ndim == 0 or 0 in input.shape:
        return oneflow.ones_like(input, dtype=dtype)
    axis = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return oneflow.nn.functional.softmax(-input if dtype is None else -input.to(dtype), dim=axis)


@family("leaky_relu elu", "negative_slope alpha", "0.01 1.0")
@rule(torch.nn.functional.leaky_relu)
def leaky_relu(input, negative_slope=0.01, inplace=False):
    if inplace:
        input[...] = oneflow.nn.functional.leaky_relu(input.clone(), negative_slope)
        return input
    return oneflow.nn.functional.leaky_relu(input, negative_slope)


@rule(torch.nn.functional.gelu)
def gelu(input, approximate="none"):
    if approximate == "none":
        return oneflow.nn.functional.gelu(input)
    return 0.5 * input * (1 + oneflow.tanh(math.sqrt(2 / math.pi) * (input + 0.044715 * input * input * input)))


@rule(torch.nn.functional.hardtanh)
def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    if inplace:
        input[...] = oneflow.nn.functional.hardtanh(input.clone(), float(min_val), float(max_val))
        return input
    return oneflow.nn.functional.hardtanh(input, float(min_val), float(max_val))


@rule(torch.nn.functional.hardsigmoid)
def hardsigmoid(input, inplace=False):
    if inplace:
        input[...] = oneflow.nn.functional.hardtanh(input.clone() / 6 + 0.5, 0.0, 1.0)
        return input
    return oneflow.nn.functional.hardtanh(input / 6 + 0.5, 0.0, 1.0)


@rule(torch.nn.functional.logsigmoid)
def logsigmoid(input):
    # OneFlow's own is minus infinity below -709
    return -oneflow.nn.functional.softplus(-input, threshold=50)


@rule(torch.nn.functional.mish)
def mish(input, inplace=False):
    if inplace:
        input[...] = input.clone() * oneflow.tanh(oneflow.nn.functional.softplus(input.clone()))
        return input
    return input * oneflow.tanh(oneflow.nn.functional.softplus(input))


@rule(torch.nn.functional.threshold)
def threshold(input, threshold, value, inplace=False):
    if inplace:
        input[...] = oneflow.nn.functional.threshold(input.clone(), threshold=threshold, value=value)
        return input
    return oneflow.nn.functional.threshold(input, threshold=threshold, value=value)


@rule(torch.nn.functional.softshrink)
def softshrink(input, lambd=0.5):
    return oneflow.nn.functional.softshrink(input, alpha=lambd)


@rule(torch.nn.functional.tanhshrink)
def tanhshrink(input):
    return input - oneflow.tanh(input)


@rule(torch.nn.functional.rrelu, torch.rrelu)
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if inplace:
        input[...] = rrelu(input.clone(), lower, upper, training)
        return input
    if not training:
        return oneflow.nn.functional.leaky_relu(input, (lower + upper) / 2)
    slope = oneflow.rand(input.shape, dtype=input.dtype, device=input.device) * (upper - lower) + lower
    return oneflow.where(input >= 0, input, slope * input)


@family("elu leaky_relu", "alpha negative_slope", "1.0 0.01")
@rule(torch.nn.functional.elu_)
def elu_(input, alpha=1.0):
    input[...] = oneflow.nn.functional.elu(input.clone(), alpha)
    return input


@rule(torch.nn.functional.hardtanh_)
def hardtanh_(input, min_val=-1.0, max_val=1.0):
    input[...] = oneflow.nn.functional.hardtanh(input.clone(), float(min_val), float(max_val))
    return input


@rule(torch.nn.functional.dropout2d, torch.nn.functional.dropout3d, torch.feature_dropout)
def dropout2d(input, p=0.5, training=True, inplace=False):
    if inplace:
        input[...] = dropped_channels(input.clone(), p, training)
        return input
    return dropped_channels(input, p, training)


def dropped_channels(input, p, training):
    """Whole channels set to zero, the others scaled; OneFlow's own takes no p of 0 or 1."""
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0
    shape = [*input.shape[:2], *[1] * (input.ndim - 2)]
    kept = (oneflow.rand(shape, device=input.device) >= p).to(input.dtype)
    return input * kept / (1 - p)


@rule(torch.nn.functional.dropout1d)
def dropout1d(input, p=0.5, training=True, inplace=False):
    if inplace:
        input[...] = dropout1d(input.clone(), p, training)
        return input
    if input.ndim == 2:
        return dropped_channels(input.unsqueeze(0), p, training).squeeze(0)
    return dropped_channels(input, p, training)


@rule(torch.nn.functional.alpha_dropout, torch.alpha_dropout)
def alpha_dropout(input, p=0.5, training=False, inplace=False):
    if inplace:
        input[...] = selu_dropout(input.clone(), p, training, input.shape)
        return input
    return selu_dropout(input, p, training, input.shape)


@rule(torch.nn.functional.feature_alpha_dropout, torch.feature_alpha_dropout)
def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    if inplace:
        kept = [*input.shape[:2], *[1] * (input.ndim - 2)]
        input[...] = selu_dropout(input.clone(), p, training, kept)
        return input
    return selu_dropout(input, p, training, [*input.shape[:2], *[1] * (input.ndim - 2)])


def selu_dropout(input, p, training, shape):
    """Dropout to SELU's lower limit, then scaled so that mean and variance stay."""
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0
    low = -1.7580993408473766
    scale = (1 - p) ** -0.5 * (1 + p * low * low) ** -0.5
    kept = (oneflow.rand(shape, device=input.device) >= p).to(input.dtype)
    return (input * kept + low * (1 - kept)) * scale - scale * p * low


@rule(torch.nn.functional.gumbel_softmax)
def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    return oneflow.nn.functional.gumbel_softmax(logits, tau=float(tau), hard=hard, dim=dim)


@rule(torch.nn.functional.celu)
def functional_celu(input, alpha=1.0, inplace=False):
    if inplace:
        input[...] = oneflow.nn.functional.celu(input.clone(), alpha=alpha)
        return input
    return oneflow.nn.functional.celu(input, alpha=alpha)


@family("relu6 selu silu hardswish")
@rule(torch.nn.functional.relu6)
def functional_relu6(input, inplace=False):
    if inplace:
        input[...] = oneflow.nn.functional.relu6(input.clone())
        return input
    return oneflow.nn.functional.relu6(input)


@rule(torch.nn.functional.softmax, torch.softmax, torch.Tensor.softmax)
def softmax(input: Rank[0], dim=None, dtype=None):
    if dtype is None:
        return oneflow.nn.functional.softmax(input.unsqueeze(0), dim=0).squeeze(0)
    return oneflow.nn.functional.softmax(input.unsqueeze(0).to(dtype), dim=0).squeeze(0)


@rule(torch.nn.functional.log_softmax, torch.log_softmax, torch.Tensor.log_softmax)
def log_softmax(input: Rank[0], dim=None, dtype=None):
    if dtype is None:
        return oneflow.nn.functional.log_softmax(input.unsqueeze(0), dim=0).squeeze(0)
    return oneflow.nn.functional.log_softmax(input.unsqueeze(0).to(dtype), dim=0).squeeze(0)
