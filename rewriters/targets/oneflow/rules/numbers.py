"""Functions of whole numbers, and of the bits of floats, computed by NumPy."""

from collections import namedtuple

import numpy
import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.promoted_dtypes import floating

Frexp = namedtuple("Frexp", ["mantissa", "exponent"])


def by_numpy(function, *values):
    """What NumPy's function makes of tensors and numbers, on the tensors' device."""
    (first, *_) = (value for value in values if isinstance(value, oneflow.Tensor))
    found = function(*(value.detach().numpy() if isinstance(value, oneflow.Tensor) else value for value in values))
    return oneflow.tensor(numpy.asarray(found), device=first.device)


@family("gcd lcm")
@rule(torch.gcd, torch.Tensor.gcd)
def gcd(input, other):
    return by_numpy(numpy.gcd, input, other)


@family("gcd lcm")
@rule(torch.gcd_, torch.Tensor.gcd_)
def gcd_(input, other):
    input[...] = by_numpy(numpy.gcd, input, other)
    return input


@rule(torch.nextafter, torch.Tensor.nextafter)
def nextafter(input, other):
    input, other = floating(input, other)
    if input.dtype not in (oneflow.float32, oneflow.float64):
        raise NotImplementedError("NumPy tells the next number of float32 and float64 alone")
    found = by_numpy(numpy.nextafter, input, other)
    if not input.requires_grad and not other.requires_grad:
        return found
    # the way that gradients take: half of one each where both are equal
    weight = 0.5 * (input == other).to(input.dtype)
    return found + (1 - weight) * (input - input.detach()) + weight * (other - other.detach())


@rule(torch.Tensor.nextafter_)
def nextafter_(self, other):
    self[...] = by_numpy(numpy.nextafter, self, other)
    return self


@rule(torch.frexp, torch.Tensor.frexp)
def frexp(input):
    exponent = by_numpy(lambda x: numpy.frexp(x)[1], input)
    half = oneflow.floor(exponent.to(input.dtype) / 2)  # in two steps: the power itself may be too large
    mantissa = input * oneflow.pow(2.0, -half) * oneflow.pow(2.0, half - exponent.to(input.dtype))
    finite = oneflow.isfinite(input)
    return Frexp(oneflow.where(finite, mantissa, input), exponent)
