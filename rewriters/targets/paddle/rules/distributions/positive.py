"""Distributions over positive numbers, or over an interval, that Paddle has not: written by their formulas."""

import functools

import paddle
import torch

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.distributions.sampling import Sampling, both


def drawn_gamma(concentration, sample_shape):
    """Standard gamma numbers."""
    if not concentration.stop_gradient and paddle.is_grad_enabled():
        raise NotImplementedError("Paddle's gamma numbers have no gradient for the concentration; use sample()")
    return paddle.standard_gamma(paddle.expand(concentration, [*sample_shape, *concentration.shape]))


class Density(paddle.distribution.Distribution):
    """Parameters, tensors or numbers, brought to one shape; samples without a gradient; stddev."""

    def spread(self, *values):
        """The parameters, and the distribution's shape by theirs."""
        dtype = next((value.dtype for value in values if isinstance(value, paddle.Tensor)), paddle.get_default_dtype())
        found = [v if isinstance(v, paddle.Tensor) else paddle.to_tensor(v, dtype) for v in values]
        # paddle.broadcast_tensors crashes in the backward where one wants no gradient
        shape = functools.reduce(paddle.broadcast_shape, [value.shape for value in found])
        super().__init__(shape)
        return [value.expand(shape) for value in found]

    def rsample(self, sample_shape=()):
        # by the inverse of the distribution function; never at its ends
        shape = [*sample_shape, *self.batch_shape]
        return self.icdf(paddle.uniform(shape, self.dtype, 2**-24, 1 - 2**-24))

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            return self.rsample(sample_shape)

    @property
    def dtype(self):
        return self.mean.dtype

    @property
    def stddev(self):
        return paddle.sqrt(self.variance)


@rule(torch.distributions.Pareto)
class Pareto(Density):
    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = self.spread(scale, alpha)

    @property
    def mean(self):
        alpha = paddle.clip(self.alpha, min=1)
        return alpha * self.scale / (alpha - 1)

    @property
    def mode(self):
        return self.scale

    @property
    def variance(self):
        alpha = paddle.clip(self.alpha, min=2)
        return self.scale**2 * alpha / ((alpha - 1) ** 2 * (alpha - 2))

    def log_prob(self, value):
        return paddle.log(self.alpha / value) + self.alpha * paddle.log(self.scale / value)

    def entropy(self):
        return paddle.log(self.scale / self.alpha) + 1 + 1 / self.alpha

    def cdf(self, value):
        return 1 - (self.scale / value) ** self.alpha

    def icdf(self, value):
        return self.scale * (1 - value) ** (-1 / self.alpha)

    def kl_divergence(self, other):
        ratio = self.alpha / other.alpha
        found = other.alpha * paddle.log(self.scale / other.scale) + paddle.log(ratio) + 1 / ratio - 1
        return paddle.where(self.scale < other.scale, paddle.full_like(found, float("inf")), found)


@rule(torch.distributions.Weibull)
class Weibull(Density):
    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = self.spread(scale, concentration)

    def moment(self, order):
        return self.scale**order * paddle.exp(paddle.lgamma(1 + order / self.concentration))

    @property
    def mean(self):
        return self.moment(1)

    @property
    def mode(self):
        return self.scale * ((self.concentration - 1) / self.concentration) ** (1 / self.concentration)

    @property
    def variance(self):
        return self.moment(2) - self.moment(1) ** 2

    def log_prob(self, value):
        share = value / self.scale
        rate = paddle.log(self.concentration / self.scale)
        return rate + (self.concentration - 1) * paddle.log(share) - share**self.concentration

    def entropy(self):
        euler = 0.5772156649015329
        return euler * (1 - 1 / self.concentration) + paddle.log(self.scale / self.concentration) + 1

    def cdf(self, value):
        return -paddle.expm1(-((value / self.scale) ** self.concentration))

    def icdf(self, value):
        return self.scale * (-paddle.log1p(-value)) ** (1 / self.concentration)


@rule(torch.distributions.HalfCauchy)
class HalfCauchy(Density):
    def __init__(self, scale, validate_args=None):
        (self.scale,) = self.spread(scale)

    @property
    def mean(self):
        return paddle.full_like(self.scale, float("inf"))

    @property
    def mode(self):
        return paddle.zeros_like(self.scale)

    @property
    def variance(self):
        return paddle.full_like(self.scale, float("inf"))

    def log_prob(self, value):
        inside = -paddle.log1p((value / self.scale) ** 2) - paddle.log(self.scale * (paddle.pi / 2))
        return paddle.where(value >= 0, inside, paddle.full_like(inside, -float("inf")))

    def entropy(self):
        return paddle.log(2 * paddle.pi * self.scale)

    def cdf(self, value):
        return paddle.atan(value / self.scale) * (2 / paddle.pi)

    def icdf(self, value):
        return self.scale * paddle.tan(value * (paddle.pi / 2))


@rule(torch.distributions.Kumaraswamy)
class Kumaraswamy(Density):
    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = self.spread(concentration1, concentration0)

    def moment(self, order):
        first, last = 1 + order / self.concentration1, self.concentration0
        return last * paddle.exp(paddle.lgamma(first) + paddle.lgamma(last) - paddle.lgamma(first + last))

    @property
    def mean(self):
        return self.moment(1)

    @property
    def mode(self):
        a, b = self.concentration1, self.concentration0
        found = ((a - 1) / (a * b - 1)) ** (1 / a)
        return paddle.where((a < 1) | (b < 1), paddle.full_like(found, float("nan")), found)

    @property
    def variance(self):
        return self.moment(2) - self.moment(1) ** 2

    def log_prob(self, value):
        a, b = self.concentration1, self.concentration0
        return paddle.log(a * b) + (a - 1) * paddle.log(value) + (b - 1) * paddle.log1p(-(value**a))

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        harmonic = paddle.digamma(b + 1) + 0.5772156649015329
        return 1 - 1 / b + (1 - 1 / a) * harmonic - paddle.log(a * b)

    def cdf(self, value):
        return 1 - (1 - value**self.concentration1) ** self.concentration0

    def icdf(self, value):
        return (1 - (1 - value) ** (1 / self.concentration0)) ** (1 / self.concentration1)


@rule(torch.distributions.GeneralizedPareto)
class GeneralizedPareto(Density):
    def __init__(self, loc, scale, concentration, validate_args=None):
        self.loc, self.scale, self.concentration = self.spread(loc, scale, concentration)

    def tail(self):
        """Where the concentration is 0, which is the exponential distribution, and one to divide by elsewhere."""
        zero = paddle.isclose(self.concentration, paddle.zeros_like(self.concentration))
        return zero, paddle.where(zero, paddle.ones_like(self.concentration), self.concentration)

    @property
    def mean(self):
        found = self.loc + self.scale / (1 - self.concentration)
        return paddle.where(self.concentration < 1, found, paddle.full_like(found, float("nan")))

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        found = self.scale**2 / ((1 - self.concentration) ** 2 * (1 - 2 * self.concentration))
        return paddle.where(self.concentration < 0.5, found, paddle.full_like(found, float("nan")))

    def logarithm(self, value):
        """Of the probability to lie above the value."""
        share = (value - self.loc) / self.scale
        zero, concentration = self.tail()
        return paddle.where(zero, -share, -paddle.log1p(concentration * share) / concentration)

    def log_prob(self, value):
        return (1 + self.concentration) * self.logarithm(value) - paddle.log(self.scale)

    def entropy(self):
        return paddle.log(self.scale) + self.concentration + 1

    def cdf(self, value):
        return -paddle.expm1(self.logarithm(value))

    def log_survival_function(self, value):
        return self.logarithm(value)

    def log_cdf(self, value):
        return paddle.log(self.cdf(value))

    def icdf(self, value):
        zero, concentration = self.tail()
        above = -paddle.log1p(-value)
        return self.loc + self.scale * paddle.where(zero, above, paddle.expm1(concentration * above) / concentration)


@rule(torch.distributions.InverseGamma)
class InverseGamma(Density):
    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = self.spread(concentration, rate)

    @property
    def mean(self):
        found = self.rate / (self.concentration - 1)
        return paddle.where(self.concentration > 1, found, paddle.full_like(found, float("inf")))

    @property
    def mode(self):
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        found = (self.rate / (self.concentration - 1)) ** 2 / (self.concentration - 2)
        return paddle.where(self.concentration > 2, found, paddle.full_like(found, float("inf")))

    def rsample(self, sample_shape=()):
        return self.rate / drawn_gamma(self.concentration, sample_shape)

    def log_prob(self, value):
        a, b = self.concentration, self.rate
        return a * paddle.log(b) - paddle.lgamma(a) - (a + 1) * paddle.log(value) - b / value

    def entropy(self):
        a = self.concentration
        return a + paddle.log(self.rate) + paddle.lgamma(a) - (1 + a) * paddle.digamma(a)

    def cdf(self, value):
        rate = self.rate / value
        return paddle.gammaincc(self.concentration.expand(rate.shape), rate)


@rule(torch.distributions.FisherSnedecor)
class FisherSnedecor(Density):
    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = self.spread(df1, df2)

    def where(self, condition, found):
        return paddle.where(condition, found, paddle.full_like(found, float("nan")))

    @property
    def mean(self):
        return self.where(self.df2 > 2, self.df2 / (self.df2 - 2))

    @property
    def mode(self):
        return self.where(self.df1 > 2, (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2))

    @property
    def variance(self):
        n, m = self.df1, self.df2
        return self.where(m > 4, 2 * m**2 * (n + m - 2) / (n * (m - 2) ** 2 * (m - 4)))

    def rsample(self, sample_shape=()):
        above, below = (drawn_gamma(df / 2, sample_shape) / df for df in (self.df1, self.df2))
        return above / below

    def log_prob(self, value):
        n, m = self.df1 / 2, self.df2 / 2
        ratio = self.df1 / self.df2
        beta = paddle.lgamma(n) + paddle.lgamma(m) - paddle.lgamma(n + m)
        return n * paddle.log(ratio) + (n - 1) * paddle.log(value) - (n + m) * paddle.log1p(ratio * value) - beta


@rule(torch.distributions.HalfNormal)
class HalfNormal(Sampling, paddle.distribution.Distribution):
    def __init__(self, scale, validate_args=None):
        self.scale = scale if isinstance(scale, paddle.Tensor) else paddle.to_tensor(float(scale))
        super().__init__(self.scale.shape)

    @property
    def mean(self):
        return self.scale * (2 / paddle.pi) ** 0.5

    @property
    def variance(self):
        return self.scale**2 * (1 - 2 / paddle.pi)

    def rsample(self, sample_shape=()):
        return paddle.abs(paddle.randn([*sample_shape, *self.batch_shape], dtype=self.scale.dtype)) * self.scale

    def sample(self, sample_shape=()):
        return self.rsample(sample_shape).detach()

    def log_prob(self, value):
        inside = (
            paddle.distribution.Normal(paddle.zeros_like(self.scale), self.scale).log_prob(value) + 0.6931471805599453
        )
        return paddle.where(value >= 0, inside, paddle.full_like(inside, -float("inf")))

    def entropy(self):
        return 0.5 * paddle.log(paddle.pi * self.scale**2 / 2) + 0.5

    def kl_divergence(self, other):
        ratio = (self.scale / other.scale) ** 2
        return 0.5 * (ratio - 1 - paddle.log(ratio))


@family("Gamma LogNormal", "concentration loc", "rate scale")
@rule(torch.distributions.Gamma)
class Gamma(Sampling, paddle.distribution.Gamma):
    def __init__(self, concentration, rate, validate_args=None):
        super().__init__(*both(concentration, rate))


@family("Exponential Chi2", "rate df")
@rule(torch.distributions.Exponential)
class Exponential(Sampling, paddle.distribution.Exponential):
    def __init__(self, rate, validate_args=None):
        super().__init__(rate)
