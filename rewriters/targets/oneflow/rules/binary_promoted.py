"""Functions of two tensors that are written out, or that OneFlow does not promote: of the dtype that torch gives."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.promotion import alike, category, filled


def floating(left, right):
    """Both as tensors of one floating-point dtype, and of one shape."""
    pair = filled(*alike(left, right))
    if category(pair[0].dtype) < 2:
        pair = (value.to(oneflow.get_default_dtype()) for value in pair)
    return oneflow.broadcast_tensors(*pair)


@rule(torch.atan2, torch.Tensor.atan2, torch.arctan2, torch.Tensor.arctan2)
def atan2(input, other):
    return oneflow.atan2(*floating(input, other))


@rule(torch.hypot, torch.Tensor.hypot)
def hypot(input, other):
    input, other = alike(input, other)
    return oneflow.sqrt(input * input + other * other)


@rule(torch.heaviside, torch.Tensor.heaviside)
def heaviside(input, values):
    input, values = oneflow.broadcast_tensors(*alike(input, values))
    step = oneflow.where(input == 0, values, (input > 0).to(input.dtype))
    return oneflow.where(oneflow.isnan(input), input, step) if input.is_floating_point() else step


@rule(torch.copysign, torch.Tensor.copysign)
def copysign(input, other):
    input, other = floating(input, other)
    negative = (other < 0) | ((other == 0) & (1 / other < 0))
    return oneflow.abs(input) * (1 - 2 * negative.to(input.dtype))


@rule(torch.xlogy, torch.Tensor.xlogy, torch.special.xlogy)
def xlogy(input, other):
    input, other = floating(input, other)
    unused = (input == 0) & oneflow.logical_not(oneflow.isnan(other))
    return input * oneflow.log(oneflow.masked_fill(other, unused, 1.0))


@rule(torch.special.xlog1py)
def xlog1py(input, other):
    input, other = floating(input, other)
    unused = (input == 0) & oneflow.logical_not(oneflow.isnan(other))
    return input * oneflow.log1p(oneflow.masked_fill(other, unused, 0.0))


@rule(torch.ldexp, torch.Tensor.ldexp)
def ldexp(input, other):
    input, other = floating(input, other)
    return input * oneflow.pow(2.0, other)
