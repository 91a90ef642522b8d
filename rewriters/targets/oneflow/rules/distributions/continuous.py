"""Distributions over the reals, positive numbers or an interval, by their formulas; not the normal one."""

import math

import oneflow
import torch

from rewriters.rule import rule, same
from rewriters.targets.oneflow.rules.pointwise import InverseErf

same(
    "torch.distributions.Laplace.loc",
    "torch.distributions.Laplace.scale",
    "torch.distributions.Uniform.high",
    "torch.distributions.Uniform.low",
)


@rule(torch.distributions.Uniform)
class Uniform(torch.distributions.Distribution):
    has_rsample = True
    held = ("low", "high")

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = self.spread(low, high)
        super().__init__(self.low.shape, (), validate_args)
        self.require("low", self.low, self.low < self.high, "below high")

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def mode(self):
        return self.high * float("nan")

    @property
    def stddev(self):
        return (self.high - self.low) / 12**0.5

    @property
    def variance(self):
        return (self.high - self.low) ** 2 / 12

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        drawn = oneflow.rand(shape, dtype=self.low.dtype, device=self.low.device)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        self.admit(value, lambda v: oneflow.logical_and(v >= self.low, v <= self.high), "within the interval")
        within = oneflow.logical_and(self.low <= value, self.high > value).to(self.low.dtype)
        return oneflow.log(within) - oneflow.log(self.high - self.low)

    def entropy(self):
        return oneflow.log(self.high - self.low)

    def cdf(self, value):
        self.admit(value, lambda v: oneflow.logical_and(v >= self.low, v <= self.high), "within the interval")
        return oneflow.clamp((value - self.low) / (self.high - self.low), min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def divergence(self, other):
        found = oneflow.log((other.high - other.low) / (self.high - self.low))
        beyond = oneflow.logical_or(other.low > self.low, other.high < self.high)
        return oneflow.where(beyond, oneflow.full_like(found, float("inf")), found)


@rule(torch.distributions.Laplace)
class Laplace(torch.distributions.Distribution):
    has_rsample = True
    held = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = self.spread(loc, scale)
        super().__init__(self.loc.shape, (), validate_args)
        self.require("loc", self.loc, self.loc == self.loc, "a real number")
        self.require("scale", self.scale, self.scale > 0, "positive")

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return 2**0.5 * self.scale

    @property
    def variance(self):
        return 2 * self.scale**2

    def rsample(self, sample_shape=()):
        # apart from -1, where the logarithm has no end
        drawn = oneflow.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        side = oneflow.clamp(2 * drawn - 1, min=-1 + 2**-24)
        return self.loc - self.scale * oneflow.sign(side) * oneflow.log1p(-oneflow.abs(side))

    def log_prob(self, value):
        self.admit(value, lambda v: v == v, "real numbers")
        return -oneflow.log(2 * self.scale) - oneflow.abs(value - self.loc) / self.scale

    def entropy(self):
        return 1 + oneflow.log(2 * self.scale)

    def cdf(self, value):
        self.admit(value, lambda v: v == v, "real numbers")
        apart = value - self.loc
        return 0.5 - 0.5 * oneflow.sign(apart) * oneflow.expm1(-oneflow.abs(apart) / self.scale)

    def icdf(self, value):
        apart = value - 0.5
        return self.loc - self.scale * oneflow.sign(apart) * oneflow.log1p(-2 * oneflow.abs(apart))

    def divergence(self, other):
        ratio, apart = self.scale / other.scale, oneflow.abs(self.loc - other.loc)
        return ratio * oneflow.exp(-apart / self.scale) + apart / other.scale - oneflow.log(ratio) - 1


same("torch.distributions.Normal.loc", "torch.distributions.Normal.scale")


@rule(torch.distributions.Normal)
class Normal(torch.distributions.Distribution):
    has_rsample = True
    held = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = self.spread(loc, scale)
        super().__init__(self.loc.shape, (), validate_args)
        self.require("loc", self.loc, self.loc == self.loc, "a real number")
        self.require("scale", self.scale, self.scale > 0, "positive")

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale**2

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return self.loc + oneflow.randn(shape, dtype=self.loc.dtype, device=self.loc.device) * self.scale

    def log_prob(self, value):
        self.admit(value, lambda v: v == v, "real numbers")
        return (
            -((value - self.loc) ** 2) / (2 * self.scale**2)
            - oneflow.log(self.scale)
            - math.log(math.sqrt(2 * math.pi))
        )

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + oneflow.log(self.scale)

    def cdf(self, value):
        self.admit(value, lambda v: v == v, "real numbers")
        return 0.5 * (1 + oneflow.erf((value - self.loc) / (self.scale * math.sqrt(2))))

    def icdf(self, value):
        return self.loc + self.scale * InverseErf.apply(2 * value - 1) * math.sqrt(2)

    def divergence(self, other):
        ratio = (self.scale / other.scale) ** 2
        return 0.5 * (ratio + ((self.loc - other.loc) / other.scale) ** 2 - 1 - oneflow.log(ratio))
