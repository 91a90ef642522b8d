"""torch: special."""

import math

import oneflow
import torch

from rewriters.rule import BoolTensor, IntTensor, family, rule
from rewriters.targets.oneflow.rules.promoted_dtypes import floating


@family("expit erf erfc expm1 log1p", "sigmoid erf erfc expm1 log1p")
@rule(torch.special.expit)
def expit(input):
    return oneflow.sigmoid(input)


@rule(torch.special.entr)
def entr(input: IntTensor | BoolTensor):
    value = input.to(oneflow.float32)
    inside = -value * oneflow.log(oneflow.clamp(value, min=1.0))
    return oneflow.masked_fill(inside, value < 0, -math.inf)


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


def recurrence(x, n, first, second, following):
    """The polynomial of each element's degree; ``following`` gives the one after ``a`` and ``b``."""
    if not isinstance(n, oneflow.Tensor):
        n = oneflow.full_like(x, float(n)) if isinstance(x, oneflow.Tensor) else n
    if not isinstance(x, oneflow.Tensor):
        x = oneflow.full_like(n, float(x))
    x, n = oneflow.broadcast_tensors(x, n.to(x.dtype))
    degrees = oneflow.trunc(n)
    found = oneflow.zeros_like(x)
    before, now = oneflow.full_like(x, first), second(x)
    highest = int(oneflow.max(degrees).item()) if x.numel() else -1
    for degree in range(highest + 1):
        value = before if degree == 0 else now
        found = oneflow.where(degrees == degree, value, found)
        if degree:
            before, now = now, following(degree, x, now, before)
    return found
