"""torch: activations."""

import oneflow
import torch

from rewriters.rule import becomes, family, rule
from rewriters.targets.oneflow.rules.nn.functional.activation import rrelu

becomes(torch.relu, oneflow.relu)
becomes(torch.dropout, oneflow.nn.functional.dropout)


@family("softmax log_softmax")
@rule(torch.Tensor.softmax)
def softmax_method(self, dim):
    return self.softmax(dim)


@rule(torch.nn.functional.hardshrink, torch.hardshrink, torch.Tensor.hardshrink)
def hardshrink(input, lambd=0.5):
    return oneflow.nn.functional.hardshrink(input, lambd=lambd)


@rule(torch.prelu, torch.Tensor.prelu, torch.nn.functional.prelu)
def prelu(input, weight):
    shape = [-1 if axis == 1 else 1 for axis in range(input.ndim)] if input.ndim > 1 else [-1] * (input.ndim > 0)
    slope = weight.reshape(shape) if weight.numel() > 1 else weight.reshape([1] * input.ndim)
    return oneflow.where(input > 0, input, slope * input)


@rule(torch.celu_)
def celu_(input, alpha=1.0):
    input[...] = oneflow.nn.functional.celu(input.clone(), alpha=alpha)
    return input


@rule(torch.threshold_)
def threshold_(input, threshold, value):
    input[...] = oneflow.nn.functional.threshold(input.clone(), threshold=threshold, value=value)
    return input


@rule(torch.rrelu_)
def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    input[...] = rrelu(input.clone(), lower, upper, training)
    return input


@rule(torch.relu_, torch.nn.functional.relu_, torch.Tensor.relu_)
def relu_(input):
    return oneflow.nn.functional.relu(input, inplace=True)


@rule(torch.Tensor.relu)
def relu_method(self):
    return self.relu()


@rule(torch.dropout_)
def dropout_(input, p, train):
    input[...] = oneflow.nn.functional.dropout(input.clone(), p, train)
    return input


@rule(torch.native_dropout)
def native_dropout(input, p, train):
    if not train or p == 0:
        return input.clone(), oneflow.ones_like(input, dtype=oneflow.bool)
    kept = oneflow.rand(input.shape, device=input.device) >= p
    return input * kept.to(input.dtype) / (1 - p) if p < 1 else input * 0, kept
