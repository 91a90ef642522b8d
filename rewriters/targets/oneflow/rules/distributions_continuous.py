"""Distributions over the reals, positive numbers or an interval, by their formulas; not the normal one."""

import oneflow
import torch

from rewriters.rule import rule, same

same(
    "torch.distributions.Exponential.rate",
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


@rule(torch.distributions.Exponential)
class Exponential(torch.distributions.Distribution):
    has_rsample = True
    held = ("rate",)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = self.spread(rate)
        super().__init__(self.rate.shape, (), validate_args)
        self.require("rate", self.rate, self.rate > 0, "positive")

    @property
    def mean(self):
        return 1 / self.rate

    @property
    def mode(self):
        return oneflow.zeros_like(self.rate)

    @property
    def stddev(self):
        return 1 / self.rate

    @property
    def variance(self):
        return 1 / self.rate**2

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return -oneflow.log1p(-oneflow.rand(shape, dtype=self.rate.dtype, device=self.rate.device)) / self.rate

    def log_prob(self, value):
        self.admit(value, lambda v: v >= 0, "at least 0")
        return oneflow.log(self.rate) - self.rate * value

    def entropy(self):
        return 1 - oneflow.log(self.rate)

    def cdf(self, value):
        self.admit(value, lambda v: v >= 0, "at least 0")
        return 1 - oneflow.exp(-self.rate * value)

    def icdf(self, value):
        return -oneflow.log1p(-value) / self.rate

    def divergence(self, other):
        ratio = other.rate / self.rate
        return ratio - oneflow.log(ratio) - 1


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
