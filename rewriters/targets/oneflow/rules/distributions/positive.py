"""torch.distributions: distributions of positive numbers."""

import oneflow
import torch

from rewriters.rule import rule, same
from rewriters.targets.oneflow.rules.distributions.continuous import Normal

same("torch.distributions.Exponential.rate")


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


same("torch.distributions.LogNormal.loc", "torch.distributions.LogNormal.scale")


@rule(torch.distributions.LogNormal)
class LogNormal(torch.distributions.Distribution):
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.base_dist = Normal(loc, scale, validate_args)
        super().__init__(self.base_dist.batch_shape, (), validate_args)

    @property
    def loc(self):
        return self.base_dist.loc

    @property
    def scale(self):
        return self.base_dist.scale

    @property
    def mean(self):
        return oneflow.exp(self.loc + self.scale**2 / 2)

    @property
    def mode(self):
        return oneflow.exp(self.loc - self.scale**2)

    @property
    def variance(self):
        return oneflow.expm1(self.scale**2) * oneflow.exp(2 * self.loc + self.scale**2)

    def rsample(self, sample_shape=()):
        return oneflow.exp(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        self.admit(value, lambda v: v > 0, "positive")
        logs = oneflow.log(value)
        return self.base_dist.log_prob(logs) - logs

    def entropy(self):
        return self.base_dist.entropy() + self.loc

    def cdf(self, value):
        self.admit(value, lambda v: v > 0, "positive")
        return self.base_dist.cdf(oneflow.log(value))

    def icdf(self, value):
        return oneflow.exp(self.base_dist.icdf(value))

    def expand(self, batch_shape, _instance=None):
        found = super().expand(batch_shape)
        found.base_dist = self.base_dist.expand(batch_shape)
        return found

    def divergence(self, other):
        return self.base_dist.divergence(other.base_dist)

    def __repr__(self):
        return "LogNormal()"
