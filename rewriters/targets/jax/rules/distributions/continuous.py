"""torch.distributions: continuous distributions."""

import math

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.distributions.distribution import Distribution, alike_in_shape
from rewriters.targets.jax.rules.generator import rngs

same(
    "torch.distributions.Normal.loc",
    "torch.distributions.Normal.scale",
    "torch.distributions.Uniform.low",
    "torch.distributions.Uniform.high",
    "torch.distributions.Laplace.loc",
    "torch.distributions.Laplace.scale",
    "torch.distributions.Exponential.rate",
    "torch.distributions.MultivariateNormal.loc",
    "torch.distributions.MultivariateNormal.scale_tril",
    "torch.distributions.MultivariateNormal.covariance_matrix",
)


@rule(torch.distributions.Normal)
class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = alike_in_shape(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale**2

    def rsample(self, sample_shape=()):
        return self.loc + rngs.normal(self.extended(sample_shape), self.loc.dtype) * self.scale

    def log_prob(self, value):
        return -((value - self.loc) ** 2) / (2 * self.scale**2) - jnp.log(self.scale) - math.log(math.sqrt(2 * math.pi))

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + jnp.log(self.scale)

    def cdf(self, value):
        return 0.5 * (1 + jax.scipy.special.erf((value - self.loc) / self.scale / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * jax.scipy.special.erfinv(2 * value - 1) * math.sqrt(2)

    def divergence(self, other):
        ratio, apart = (self.scale / other.scale) ** 2, ((self.loc - other.loc) / other.scale) ** 2
        return 0.5 * (ratio + apart - 1 - jnp.log(ratio))


@rule(torch.distributions.Uniform)
class Uniform(Distribution):
    def __init__(self, low, high, validate_args=None):
        self.low, self.high = alike_in_shape(low, high)
        super().__init__(self.low.shape)

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def variance(self):
        return (self.high - self.low) ** 2 / 12

    def rsample(self, sample_shape=()):
        return self.low + rngs.uniform(self.extended(sample_shape), self.low.dtype) * (self.high - self.low)

    def log_prob(self, value):
        inside = (value >= self.low) & (value < self.high)
        return jnp.log(inside.astype(self.low.dtype)) - jnp.log(self.high - self.low)

    def entropy(self):
        return jnp.log(self.high - self.low)

    def cdf(self, value):
        return jnp.clip((value - self.low) / (self.high - self.low), 0, 1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low


@rule(torch.distributions.Laplace)
class Laplace(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = alike_in_shape(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return 2 * self.scale**2

    def rsample(self, sample_shape=()):
        drawn = rngs.laplace(self.extended(sample_shape), self.loc.dtype)
        return self.loc + self.scale * drawn

    def log_prob(self, value):
        return -jnp.log(2 * self.scale) - jnp.abs(value - self.loc) / self.scale

    def entropy(self):
        return 1 + jnp.log(2 * self.scale)

    def cdf(self, value):
        apart = value - self.loc
        return 0.5 - 0.5 * jnp.sign(apart) * jnp.expm1(-jnp.abs(apart) / self.scale)

    def icdf(self, value):
        apart = value - 0.5
        return self.loc - self.scale * jnp.sign(apart) * jnp.log1p(-2 * jnp.abs(apart))


@rule(torch.distributions.Exponential)
class Exponential(Distribution):
    def __init__(self, rate, validate_args=None):
        (self.rate,) = alike_in_shape(rate)
        super().__init__(self.rate.shape)

    @property
    def mean(self):
        return 1 / self.rate

    @property
    def variance(self):
        return self.rate**-2

    def rsample(self, sample_shape=()):
        return rngs.exponential(self.extended(sample_shape), self.rate.dtype) / self.rate

    def log_prob(self, value):
        return jnp.log(self.rate) - self.rate * value

    def entropy(self):
        return 1 - jnp.log(self.rate)

    def cdf(self, value):
        return 1 - jnp.exp(-self.rate * value)

    def icdf(self, value):
        return -jnp.log1p(-value) / self.rate


@rule(torch.distributions.MultivariateNormal)
class MultivariateNormal(Distribution):
    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if scale_tril is None:
            given = jnp.linalg.inv(precision_matrix) if covariance_matrix is None else covariance_matrix
            scale_tril = jnp.linalg.cholesky(given)
        shape = jnp.broadcast_shapes(scale_tril.shape[:-1], loc.shape)
        self.loc = jnp.broadcast_to(loc, shape)
        self.scale_tril = jnp.broadcast_to(scale_tril, (*shape, shape[-1]))
        super().__init__(shape[:-1], shape[-1:])

    @property
    def covariance_matrix(self):
        return self.scale_tril @ jnp.swapaxes(self.scale_tril, -1, -2)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return (self.scale_tril**2).sum(axis=-1)

    def rsample(self, sample_shape=()):
        drawn = rngs.normal(self.extended(sample_shape), self.loc.dtype)
        return self.loc + (self.scale_tril @ drawn[..., None])[..., 0]

    def half_log_det(self):
        return jnp.log(jnp.diagonal(self.scale_tril, axis1=-2, axis2=-1)).sum(axis=-1)

    def log_prob(self, value):
        apart = value - self.loc
        tril = jnp.broadcast_to(self.scale_tril, (*apart.shape, apart.shape[-1]))
        whitened = jax.scipy.linalg.solve_triangular(tril, apart[..., None], lower=True)[..., 0]
        size = self.event_shape[0]
        return -0.5 * (size * math.log(2 * math.pi) + (whitened**2).sum(axis=-1)) - self.half_log_det()

    def entropy(self):
        return 0.5 * self.event_shape[0] * (1 + math.log(2 * math.pi)) + self.half_log_det()
