"""torch.distributions. Paddle's own sample() lets gradients through: the classes here are torch's in that."""

import paddle
import torch

from rewriters.rule import alias, rule, same

alias(torch.distributions.Distribution, "paddle.distribution.Distribution")
alias(torch.distributions.ExponentialFamily, "paddle.distribution.ExponentialFamily")
alias(torch.distributions.Transform, "paddle.distribution.Transform")
alias(torch.distributions.register_kl, "paddle.distribution.register_kl")

same(
    "torch.distributions.Distribution.sample",
    "torch.distributions.Distribution.rsample",
    "torch.distributions.Distribution.log_prob",
    "torch.distributions.Distribution.entropy",
    "torch.distributions.Distribution.cdf",
    "torch.distributions.Distribution.icdf",
    "torch.distributions.Distribution.perplexity",
    "torch.distributions.Categorical.probs",
    "torch.distributions.Categorical.logits",
    "torch.distributions.Bernoulli.probs",
    "torch.distributions.Bernoulli.logits",
    "torch.distributions.OneHotCategorical.probs",
    "torch.distributions.OneHotCategorical.logits",
)


class Sampling:
    """What torch's distributions have and Paddle's do not: samples without a gradient, stddev, rsample's shape."""

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            return super().sample(list(sample_shape)).detach()

    @property
    def stddev(self):
        return paddle.sqrt(self.variance)

    def perplexity(self):
        return paddle.exp(self.entropy())


@rule(torch.distributions.Normal)
class Normal(Sampling, paddle.distribution.Normal):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)

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
        super().__init__(low, high)

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


@rule(torch.distributions.Bernoulli)
class Bernoulli(Sampling, paddle.distribution.Bernoulli):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(paddle.nn.functional.sigmoid(logits) if probs is None else probs)
        if logits is not None:
            self.logits = logits

    def log_prob(self, value):
        return -paddle.nn.functional.binary_cross_entropy_with_logits(self.logits, value, reduction="none")

    def entropy(self):
        # of binary_cross_entropy_with_logits the labels get no gradient
        log_sigmoid = paddle.nn.functional.log_sigmoid
        return -self.probs * log_sigmoid(self.logits) - (1 - self.probs) * log_sigmoid(-self.logits)


@rule(torch.distributions.Categorical)
class Categorical(Sampling, paddle.distribution.Distribution):
    """Paddle's own takes logits for unnormalized probabilities in some methods and not in others."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        given = paddle.log(probs) if logits is None else logits
        self.logits = given - paddle.logsumexp(given, axis=-1, keepdim=True)
        super().__init__(self.logits.shape[:-1])

    @property
    def probs(self):
        return paddle.exp(self.logits)

    @property
    def mode(self):
        return paddle.argmax(self.logits, axis=-1)

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            rows = self.probs.reshape([-1, self.logits.shape[-1]])
            count = paddle.Size(sample_shape).numel() if len(sample_shape) else 1
            drawn = paddle.multinomial(rows, count, replacement=True).t()
            return drawn.reshape([*sample_shape, *self.batch_shape])

    def log_prob(self, value):
        value = value.astype("int64").unsqueeze(-1)
        shape = paddle.broadcast_shape([*value.shape[:-1], 1], [*self.logits.shape[:-1], 1])[:-1]
        logits = paddle.expand(self.logits, [*shape, self.logits.shape[-1]])
        return paddle.take_along_axis(logits, paddle.expand(value, [*shape, 1]), -1).squeeze(-1)

    def entropy(self):
        return -(self.logits * self.probs).sum(axis=-1)


@rule(torch.distributions.kl_divergence)
def kl_divergence(p, q):
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        return (p.probs * (p.logits - q.logits)).sum(axis=-1)
    if "kl_divergence" in type(p).__dict__:
        return p.kl_divergence(q)
    return paddle.distribution.kl_divergence(p, q)


@rule(torch.distributions.OneHotCategorical)
class OneHotCategorical(Categorical):
    @property
    def mean(self):
        return self.probs

    def sample(self, sample_shape=()):
        return paddle.nn.functional.one_hot(super().sample(sample_shape), self.logits.shape[-1])

    def log_prob(self, value):
        return super().log_prob(paddle.argmax(value, axis=-1))


@rule(torch.distributions.OneHotCategoricalStraightThrough)
class OneHotCategoricalStraightThrough(OneHotCategorical):
    def rsample(self, sample_shape=()):
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


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


@rule(torch.distributions.Beta)
class Beta(Sampling, paddle.distribution.Beta):
    def __init__(self, concentration1, concentration0, validate_args=None):
        super().__init__(concentration1, concentration0)


@rule(torch.distributions.Gamma)
class Gamma(Sampling, paddle.distribution.Gamma):
    def __init__(self, concentration, rate, validate_args=None):
        super().__init__(concentration, rate)


@rule(torch.distributions.Dirichlet)
class Dirichlet(Sampling, paddle.distribution.Dirichlet):
    def __init__(self, concentration, validate_args=None):
        super().__init__(concentration)


@rule(torch.distributions.Exponential)
class Exponential(Sampling, paddle.distribution.Exponential):
    def __init__(self, rate, validate_args=None):
        super().__init__(rate)


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


@rule(torch.distributions.LogNormal)
class LogNormal(Sampling, paddle.distribution.LogNormal):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)


@rule(torch.distributions.MultivariateNormal)
class MultivariateNormal(Sampling, paddle.distribution.MultivariateNormal):
    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        super().__init__(loc, covariance_matrix, precision_matrix, scale_tril)


@rule(torch.distributions.Poisson)
class Poisson(Sampling, paddle.distribution.Poisson):
    def __init__(self, rate, validate_args=None):
        super().__init__(rate)


@rule(torch.distributions.StudentT)
class StudentT(Sampling, paddle.distribution.StudentT):
    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        super().__init__(df, loc, scale)


@rule(torch.distributions.Gumbel)
class Gumbel(Sampling, paddle.distribution.Gumbel):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)


@rule(torch.distributions.Cauchy)
class Cauchy(Sampling, paddle.distribution.Cauchy):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)


@rule(torch.distributions.Chi2)
class Chi2(Sampling, paddle.distribution.Chi2):
    def __init__(self, df, validate_args=None):
        super().__init__(df)


@rule(torch.distributions.LKJCholesky)
class LKJCholesky(Sampling, paddle.distribution.LKJCholesky):
    def __init__(self, dim, concentration=1.0, validate_args=None):
        super().__init__(dim, concentration)


@rule(torch.distributions.Independent)
class Independent(Sampling, paddle.distribution.Independent):
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        super().__init__(base_distribution, reinterpreted_batch_ndims)

    def rsample(self, sample_shape=()):
        return self._base.rsample(list(sample_shape))


@rule(torch.distributions.TransformedDistribution)
class TransformedDistribution(Sampling, paddle.distribution.TransformedDistribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        super().__init__(base_distribution, transforms if isinstance(transforms, list) else [transforms])


@rule(torch.distributions.Multinomial)
class Multinomial(Sampling, paddle.distribution.Multinomial):
    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, paddle.nn.functional.softmax(logits, axis=-1) if probs is None else probs)

    def log_prob(self, value):
        # Paddle's own crashes in the backward where value wants no gradient
        ways = paddle.lgamma(value.sum(axis=-1) + 1) - paddle.lgamma(value + 1).sum(axis=-1)
        return ways + (value * paddle.log(self.probs)).sum(axis=-1)


@rule(torch.distributions.Binomial)
class Binomial(Sampling, paddle.distribution.Binomial):
    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, paddle.nn.functional.sigmoid(logits) if probs is None else probs)


@rule(torch.distributions.ContinuousBernoulli)
class ContinuousBernoulli(Sampling, paddle.distribution.ContinuousBernoulli):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(paddle.nn.functional.sigmoid(logits) if probs is None else probs)


@rule(torch.distributions.Geometric)
class Geometric(Sampling, paddle.distribution.Geometric):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(paddle.nn.functional.sigmoid(logits) if probs is None else probs)

    def log_prob(self, value):
        return value * paddle.log1p(-self.probs) + paddle.log(self.probs)
