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


@rule(torch.special.zeta)
def zeta(input, other):
    tensor = input if isinstance(input, oneflow.Tensor) else other
    x, q = (
        value.double() if isinstance(value, oneflow.Tensor) else oneflow.full_like(tensor.double(), float(value))
        for value in (input, other)
    )
    return hurwitz(*oneflow.broadcast_tensors(x, q)).to(in_floats(tensor).dtype)


def hurwitz(x, q):
    """Hurwitz's zeta function, by the formula of Euler and Maclaurin."""
    lowest = oneflow.min(q).item() if q.numel() else 0.0
    count = 10 + (max(0, math.ceil(-lowest)) if math.isfinite(lowest) else 0)
    found = oneflow.zeros_like(q)
    for k in range(count):
        found = found + oneflow.pow(q + k, -x)
    last = q + count
    found = found + oneflow.pow(last, 1 - x) / (x - 1) + oneflow.pow(last, -x) / 2
    factor = x / oneflow.pow(last, x + 1)
    # B(2j) / (2j)!
    for j, share in enumerate(
        (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600), 1
    ):
        found = found + share * factor
        factor = factor * (x + 2 * j - 1) * (x + 2 * j) / last**2
    whole = oneflow.logical_and(q <= 0, q == oneflow.floor(q))
    found = oneflow.where(whole, oneflow.full_like(found, math.inf), found)
    broken = oneflow.logical_and(oneflow.logical_and(q <= 0, oneflow.logical_not(whole)), x != oneflow.floor(x))
    found = oneflow.where(oneflow.logical_or(x < 1, broken), oneflow.full_like(found, math.nan), found)
    return oneflow.where(x == 1, oneflow.full_like(found, math.inf), found)


def polygamma_of(n, x):
    """The n-th derivative of digamma, which has that of the next as its gradient."""
    if n == 0:
        return Digamma.apply(x)

    class Derivative(oneflow.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            if n == 1:
                return trigamma(x)
            order = oneflow.full_like(x.double(), float(n + 1))
            return ((-1) ** (n + 1) * math.factorial(n) * hurwitz(order, x.double())).to(x.dtype)

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * polygamma_of(n + 1, x)

    return Derivative.apply(x)


@rule(torch.polygamma, torch.special.polygamma)
def polygamma(n, input):
    return polygamma_of(n, in_floats(input))


@rule(torch.Tensor.polygamma)
def polygamma_method(self, n):
    return polygamma_of(n, in_floats(self))


@rule(torch.Tensor.polygamma_)
def polygamma_(self, n):
    self[...] = polygamma_of(n, self.clone())
    return self
