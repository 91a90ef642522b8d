"""torch: special."""

import math

import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.promoted_dtypes import floating


@family("expit erf erfc", "sigmoid erf erfc")
@rule(torch.special.expit)
def expit(input):
    return oneflow.sigmoid(input)


@rule(torch.special.expm1)
def expm1(input):
    return oneflow.expm1(input)


@rule(torch.special.log1p)
def log1p(input):
    return oneflow.log1p(input)


@rule(torch.special.entr)
def entr(input):
    positive = input > 0
    inside = -input * oneflow.log(oneflow.masked_fill(input, oneflow.logical_not(positive), 1.0))
    outside = oneflow.masked_fill(oneflow.zeros_like(inside), input < 0, -math.inf)
    return oneflow.where(positive | oneflow.isnan(input), inside, outside)


@rule(torch.special.ndtr)
def ndtr(input):
    return 0.5 * oneflow.erfc(input * -math.sqrt(0.5))


@rule(torch.special.softmax)
def special_softmax(input, dim, *, dtype=None):
    input = input if dtype is None else input.to(dtype)
    if input.ndim == 0 or 0 in input.shape:
        return oneflow.ones_like(input)
    return oneflow.nn.functional.softmax(input, dim=dim)


@rule(torch.special.log_softmax)
def special_log_softmax(input, dim, *, dtype=None):
    input = input if dtype is None else input.to(dtype)
    if input.ndim == 0 or 0 in input.shape:
        return oneflow.zeros_like(input)
    return input - oneflow.logsumexp(input, dim, keepdim=True)


@rule(torch.special.xlog1py)
def xlog1py(input, other):
    input, other = floating(input, other)
    unused = (input == 0) & oneflow.logical_not(oneflow.isnan(other))
    return input * oneflow.log1p(oneflow.masked_fill(other, unused, 0.0))
