"""torch.distributions: continuous distributions of one number."""

import paddle
import torch

from rewriters.rule import rule, same
from rewriters.targets.paddle.rules.distributions.sampling import Drawn, Sampling, both, open_uniform


@rule(torch.distributions.Normal)
class Normal(Sampling, paddle.distribution.Normal):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(*both(loc, scale))

    @property
    def mode(self):
        return self.mean

    def cdf(self, value):
        return (1 + paddle.erf((value - self.loc) / (self.scale * 2**0.5))) / 2

    def icdf(self, value):
        return self.loc + self.scale * paddle.erfinv(2 * value - 1) * 2**0.5


@rule(torch.distributions.Uniform)
class Uniform(Sampling, paddle.distribution.Uniform):
    def __init__(self, low, high, validate_args=None):
        super().__init__(*both(low, high))

    @property
    def mean(self):
        return (self.low + self.high) / 2

    @property
    def variance(self):
        return (self.high - self.low) ** 2 / 12

    def rsample(self, sample_shape=()):
        base = paddle.rand([*sample_shape, *(self.low + self.high).shape], dtype=self.low.dtype)
        return self.low + base * (self.high - self.low)

    def cdf(self, value):
        return paddle.clip((value - self.low) / (self.high - self.low), 0, 1)

    def kl_divergence(self, other):
        found = paddle.log((other.high - other.low) / (self.high - self.low))
        beyond = (other.low > self.low) | (other.high < self.high)
        return paddle.where(beyond, paddle.full_like(found, float("inf")), found)


@rule(torch.distributions.Beta)
class Beta(Sampling, paddle.distribution.Beta):
    def __init__(self, concentration1, concentration0, validate_args=None):
        super().__init__(concentration1, concentration0)


@rule(torch.distributions.Laplace)
class Laplace(Sampling, paddle.distribution.Laplace):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)

    @property
    def stddev(self):
        return 2**0.5 * self.scale  # from which Paddle's has the variance

    # Paddle's own crash in the backward where the value wants no gradient
    def log_prob(self, value):
        return -paddle.log(2 * self.scale) - paddle.abs(value - self.loc) / self.scale

    def cdf(self, value):
        apart = value - self.loc
        return 0.5 - 0.5 * paddle.sign(apart) * paddle.expm1(-paddle.abs(apart) / self.scale)


@rule(torch.distributions.StudentT)
class StudentT(Sampling, paddle.distribution.StudentT):
    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        super().__init__(df, loc, scale)


@rule(torch.distributions.Cauchy)
class Cauchy(Sampling, paddle.distribution.Cauchy):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)


@rule(torch.distributions.Gumbel)
class Gumbel(Sampling, paddle.distribution.Gumbel):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)

    def log_prob(self, value):
        # Paddle's own takes the logarithm of an exponential, which far from loc is none
        away = (self.loc - value) / self.scale
        return away - paddle.exp(away) - paddle.log(self.scale)


@rule(torch.distributions.ContinuousBernoulli)
class ContinuousBernoulli(Sampling, paddle.distribution.ContinuousBernoulli):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(paddle.nn.functional.sigmoid(logits) if probs is None else probs)


same("torch.distributions.VonMises.variance")


@rule(torch.distributions.VonMises)
class VonMises(Drawn):
    def __init__(self, loc, concentration, validate_args=None):
        dtype = next((v.dtype for v in (loc, concentration) if isinstance(v, paddle.Tensor)), None)
        loc, concentration = (
            v if isinstance(v, paddle.Tensor) else paddle.to_tensor(float(v), dtype) for v in (loc, concentration)
        )
        shape = paddle.broadcast_shape(loc.shape, concentration.shape)
        self.loc, self.concentration = loc.expand(shape), concentration.expand(shape)
        super().__init__(shape)

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return 1 - paddle.i1e(self.concentration) / paddle.i0e(self.concentration)

    def log_prob(self, value):
        # log(2 pi I0(k)), and e^k taken out of I0
        whole = paddle.log(2 * paddle.pi * paddle.i0e(self.concentration))
        return self.concentration * (paddle.cos(value - self.loc) - 1) - whole

    def sample(self, sample_shape=()):
        """By rejection from a wrapped Cauchy distribution (Best and Fisher, 1979)."""
        with paddle.no_grad():
            shape = [*sample_shape, *self.batch_shape]
            kappa = self.concentration.astype("float64").expand(shape)
            tau = 1 + paddle.sqrt(1 + 4 * kappa**2)
            rho = (tau - paddle.sqrt(2 * tau)) / (2 * kappa)
            wrapped = (1 + rho**2) / (2 * rho)
            found = paddle.zeros_like(kappa)
            waiting = paddle.ones(shape, "bool")
            while bool(waiting.any()):
                z = paddle.cos(paddle.pi * open_uniform(shape, kappa))
                cosine = (1 + wrapped * z) / (wrapped + z)
                c = kappa * (wrapped - cosine)
                u = open_uniform(shape, kappa)
                taken = waiting & ((c * (2 - c) > u) | (paddle.log(c / u) + 1 >= c))
                side = paddle.sign(open_uniform(shape, kappa) - 0.5)
                found = paddle.where(taken, side * paddle.acos(paddle.clip(cosine, -1, 1)), found)
                waiting = waiting & ~taken
            angle = found + paddle.pi + self.loc.astype("float64")
            return (paddle.remainder(angle, paddle.full([], 2 * paddle.pi, "float64")) - paddle.pi).astype(
                self.loc.dtype
            )
