"""torch.nn.modules: linear layers."""

import math

import numpy
import oneflow
import torch

from rewriters.rule import rule, same

same("torch.nn.Identity")


# OneFlow 0.9 takes no numpy integers for sizes; `to` of its modules takes no None beside another argument.
@rule(torch.nn.Linear)
def Linear(in_features: numpy.generic, out_features: numpy.generic, bias=True):
    return oneflow.nn.Linear(int(in_features), int(out_features), bias=bias)


@rule(torch.nn.Linear)
def Linear(in_features: numpy.generic, out_features, bias=True):
    return oneflow.nn.Linear(int(in_features), out_features, bias=bias)


@rule(torch.nn.Linear)
def Linear(in_features, out_features: numpy.generic, bias=True):
    return oneflow.nn.Linear(in_features, int(out_features), bias=bias)


@rule(torch.nn.Linear)
def Linear(in_features, out_features, bias=True):
    return oneflow.nn.Linear(in_features, out_features, bias=bias)


@rule(torch.nn.Linear)
def Linear(in_features, out_features, bias=True, device=None):
    return oneflow.nn.Linear(in_features, out_features, bias=bias).to("cpu" if device is None else device)


@rule(torch.nn.Linear)
def Linear(in_features, out_features, bias=True, device=None, dtype=None):
    return oneflow.nn.Linear(in_features, out_features, bias=bias).to(
        device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
    )


@rule("torch.nn.Linear:vectors")
class LinearOfVectors(oneflow.nn.Linear):
    """Takes a vector too; OneFlow's own takes rows alone."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__(int(in_features), int(out_features), bias=bias)
        if device is not None or dtype is not None:
            made = {"device": "cpu" if device is None else device}
            self.to(**made, dtype=oneflow.get_default_dtype() if dtype is None else dtype)

    def forward(self, x):
        return super().forward(x.unsqueeze(0)).squeeze(0) if x.ndim == 1 else super().forward(x)


same("torch.nn.Linear.reset_parameters")


@rule(torch.nn.Bilinear)
class Bilinear(oneflow.nn.Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        made = {"device": device, "dtype": oneflow.get_default_dtype() if dtype is None else dtype}
        self.weight = oneflow.nn.Parameter(oneflow.empty(out_features, in1_features, in2_features, **made))
        self.bias = oneflow.nn.Parameter(oneflow.empty(out_features, **made)) if bias else None
        bound = 1 / math.sqrt(in1_features)
        oneflow.nn.init.uniform_(self.weight, -bound, bound)
        if bias:
            oneflow.nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        first = input1.reshape(-1, 1, self.in1_features, 1)
        found = oneflow.sum(first * input2.reshape(-1, 1, 1, self.in2_features) * self.weight.unsqueeze(0), [2, 3])
        found = found if self.bias is None else found + self.bias
        return found.reshape([*input1.shape[:-1], self.out_features])
