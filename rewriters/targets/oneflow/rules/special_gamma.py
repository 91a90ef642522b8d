"""Functions whose gradients OneFlow has not, or has as zero: the logarithm of gamma and what it leads to."""

import math

import oneflow
import torch

from rewriters.rule import family, rule


class LogGamma(oneflow.autograd.Function):
    """OneFlow's lgamma has a gradient of zero."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return oneflow.lgamma(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * Digamma.apply(x)


def in_floats(x):
    """Integers and booleans as torch's functions of reals take them."""
    return x if x.is_floating_point() else x.to(oneflow.get_default_dtype())


@rule(torch.lgamma, torch.Tensor.lgamma, torch.special.gammaln)
def lgamma(input):
    return LogGamma.apply(in_floats(input))


@rule(torch.mvlgamma, torch.Tensor.mvlgamma, torch.special.multigammaln)
def mvlgamma(input, p):
    x = in_floats(input)
    steps = oneflow.arange(p, dtype=x.dtype, device=x.device) / 2
    return LogGamma.apply(x.unsqueeze(-1) - steps).sum(-1) + p * (p - 1) / 4 * math.log(math.pi)


def series_of_digamma(given):
    """Ten steps of the recurrence and Bernoulli's numbers: right to a double's last digits."""
    x = given.double()
    # below 1/2 the reflection formula; its tangent is taken elsewhere where it is not needed
    left = x < 0.5
    y = oneflow.where(left, 1 - x, x)
    place = oneflow.where(left, x - oneflow.trunc(x), oneflow.full_like(x, 0.25))
    far = y + 10
    square = 1 / (far * far)
    series = oneflow.zeros_like(x)
    for number in (-691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12):
        series = (series + number) * square
    found = oneflow.log(far) - 0.5 / far - series
    for step in range(10):
        found = found - 1 / (y + step)
    found = oneflow.where(left, found - math.pi / oneflow.tan(math.pi * place), found)
    pole = oneflow.logical_and(x < 0, x == oneflow.floor(x))
    return oneflow.where(pole, oneflow.full_like(found, float("nan")), found).to(given.dtype)


def trigamma(given):
    """With as many steps and terms as torch's own has."""
    x = given.double()
    left = x < 0.5
    y = oneflow.where(left, 1 - x, x)
    far = y + 6
    square = 1 / (far * far)
    found = (1 + 0.5 / far + square * (1 / 6 - square * (1 / 30 - square / 42))) / far
    for step in range(6):
        found = found + 1 / (y + step) ** 2
    sine = oneflow.sin(math.pi * oneflow.where(left, x, oneflow.full_like(x, 0.5)))
    return oneflow.where(left, (math.pi / sine) ** 2 - found, found).to(given.dtype)


class Digamma(oneflow.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return series_of_digamma(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * trigamma(x)


@rule(torch.digamma, torch.Tensor.digamma, torch.special.digamma, torch.special.psi)
def digamma(input):
    return Digamma.apply(in_floats(input))


@family("lgamma digamma", "LogGamma Digamma")
@rule(torch.Tensor.lgamma_)
def lgamma_(self):
    self[...] = LogGamma.apply(self.clone())
    return self


@rule(torch.Tensor.mvlgamma_)
def mvlgamma_(self, p):
    self[...] = mvlgamma(self.clone(), p)
    return self
