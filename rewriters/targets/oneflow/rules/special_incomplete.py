"""The incomplete gamma functions, which OneFlow has not: summed by NumPy in float64. Their gradients are torch's."""

import math

import numpy
import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.promoted_dtypes import floating

STEPS = 2000  # at most; large arguments take some hundred


def logs_of_gamma(a):
    return numpy.vectorize(lambda value: math.lgamma(value) if 0 < value < math.inf else math.inf, otypes=[float])(a)


def shares(a, x):
    """The lower and the upper share of the gamma function of a that x cuts: a series, or a continued fraction."""
    a, x = numpy.broadcast_arrays(a, x)
    inside = (a > 0) & (x > 0) & numpy.isfinite(a) & numpy.isfinite(x)
    a_, x_ = numpy.where(inside, a, 1.0), numpy.where(inside, x, 1.0)
    front = numpy.exp(a_ * numpy.log(x_) - x_ - logs_of_gamma(a_))
    low = x_ < a_ + 1
    term = total = 1 / a_
    near = numpy.where(low, x_, 0.0)
    for n in range(1, STEPS):
        term = term * near / (a_ + n)
        total = total + term
        if (term <= total * 1e-17).all():
            break
    far = numpy.where(low, a_ + 1, x_)
    b, c = far + 1 - a_, numpy.full(a_.shape, 1e300)
    d = 1 / b
    fraction = d
    for n in range(1, STEPS):
        b = b + 2
        d = 1 / (n * (a_ - n) * d + b)
        c = b + n * (a_ - n) / c
        fraction = fraction * d * c
        if (numpy.abs(d * c - 1) < 1e-16).all():
            break
    lower = numpy.where(low, front * total, 1 - front * fraction)
    upper = numpy.where(low, 1 - front * total, front * fraction)
    one = ((a == 0) & (x > 0)) | ((a > 0) & numpy.isfinite(a) & (x == math.inf))
    none = (a > 0) & ((x == 0) | ((a == math.inf) & numpy.isfinite(x)))
    lower = numpy.where(inside, lower, numpy.where(one, 1.0, numpy.where(none, 0.0, math.nan)))
    return lower, numpy.where(inside, upper, 1 - lower)


@family("LowerGamma UpperGamma", "[0] [1]", ("grad *", "-grad *"))
class LowerGamma(oneflow.autograd.Function):
    """Of tensors of one shape. Like torch's it has no gradient for a."""

    @staticmethod
    def forward(ctx, a, x):
        ctx.save_for_backward(a, x)
        found = shares(a.numpy().astype(numpy.float64), x.numpy().astype(numpy.float64))[0]
        return oneflow.tensor(found, dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx, grad):
        a, x = ctx.saved_tensors
        density = oneflow.exp((a - 1) * oneflow.log(x) - x - oneflow.lgamma(a))
        return oneflow.zeros_like(a), grad * density


@family("igamma igammac", "gammainc gammaincc", "LowerGamma UpperGamma")
@rule(torch.igamma, torch.Tensor.igamma, torch.special.gammainc)
def igamma(input, other):
    return LowerGamma.apply(*oneflow.broadcast_tensors(*floating(input, other)))


@family("igamma igammac")
@rule(torch.Tensor.igamma_)
def igamma_(self, other):
    self[...] = igamma(self.clone(), other)
    return self
