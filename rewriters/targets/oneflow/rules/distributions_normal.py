"""The normal distribution, its exponential, and the inverse of erf, by which their quantiles are."""

import math

import oneflow
import torch

from rewriters.rule import rule, same

same(
    "torch.distributions.LogNormal.loc",
    "torch.distributions.LogNormal.scale",
    "torch.distributions.Normal.loc",
    "torch.distributions.Normal.scale",
)


class InverseErf(oneflow.autograd.Function):
    """OneFlow's erfinv has no backward, and is short of digits near the ends: a step of Newton's there."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        found, size = oneflow.erfinv(x), oneflow.abs(x)
        missing = oneflow.erfc(oneflow.abs(found)) - (1 - size)
        step = oneflow.sign(x) * missing * (math.sqrt(math.pi) / 2) * oneflow.exp(found * found)
        return oneflow.where(oneflow.logical_and(size > 0.5, size < 1), found + step, found)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (math.sqrt(math.pi) / 2) * oneflow.exp(InverseErf.apply(x) ** 2)


@rule(torch.erfinv, torch.Tensor.erfinv, torch.special.erfinv)
def erfinv(input):
    return InverseErf.apply(input if input.is_floating_point() else input.to(oneflow.get_default_dtype()))


@rule(torch.Tensor.erfinv_)
def erfinv_(self):
    self[...] = InverseErf.apply(self.clone())
    return self


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
