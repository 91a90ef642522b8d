"""Counts, angles, mixtures and relaxed choices that Paddle has no distribution for: written by their formulas."""

import paddle
import torch

from rewriters.rule import rule, same

same(
    "torch.distributions.MixtureSameFamily.component_distribution",
    "torch.distributions.MixtureSameFamily.mixture_distribution",
    "torch.distributions.NegativeBinomial.logits",
    "torch.distributions.NegativeBinomial.probs",
    "torch.distributions.RelaxedBernoulli.logits",
    "torch.distributions.RelaxedBernoulli.probs",
    "torch.distributions.RelaxedOneHotCategorical.logits",
    "torch.distributions.RelaxedOneHotCategorical.probs",
    "torch.distributions.VonMises.variance",
    "torch.distributions.relaxed_bernoulli.LogitRelaxedBernoulli.logits",
    "torch.distributions.relaxed_bernoulli.LogitRelaxedBernoulli.probs",
    "torch.distributions.relaxed_categorical.ExpRelaxedCategorical.logits",
    "torch.distributions.relaxed_categorical.ExpRelaxedCategorical.probs",
)


class Drawn(paddle.distribution.Distribution):
    """Samples without a gradient; stddev."""

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            return self.rsample(sample_shape)

    @property
    def stddev(self):
        return paddle.sqrt(self.variance)


def log_odds(probs, logits):
    """The logits of a distribution over two values, given either."""
    if logits is not None:
        return logits if isinstance(logits, paddle.Tensor) else paddle.to_tensor(float(logits))
    probs = probs if isinstance(probs, paddle.Tensor) else paddle.to_tensor(float(probs))
    return paddle.log(probs) - paddle.log1p(-probs)


def log_shares(probs, logits):
    """Of a distribution over several values, given either."""
    given = paddle.log(probs) if logits is None else logits
    return given - paddle.logsumexp(given, axis=-1, keepdim=True)


def open_uniform(shape, like):
    """Uniform random numbers, never 0 or 1."""
    return paddle.uniform(shape, like.dtype, 2**-24, 1 - 2**-24)


@rule(torch.distributions.NegativeBinomial)
class NegativeBinomial(Drawn):
    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        logits = log_odds(probs, logits)
        count = total_count if isinstance(total_count, paddle.Tensor) else paddle.full([], total_count, logits.dtype)
        shape = paddle.broadcast_shape(count.shape, logits.shape)
        self.total_count, self.logits = count.astype(logits.dtype).expand(shape), logits.expand(shape)
        super().__init__(shape)

    @property
    def probs(self):
        return paddle.nn.functional.sigmoid(self.logits)

    @property
    def mean(self):
        return self.total_count * paddle.exp(self.logits)

    @property
    def mode(self):
        return paddle.clip(paddle.floor((self.total_count - 1) * paddle.exp(self.logits)), min=0)

    @property
    def variance(self):
        return self.mean / paddle.nn.functional.sigmoid(-self.logits)

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            count = self.total_count.expand([*sample_shape, *self.batch_shape])
            return paddle.poisson(paddle.standard_gamma(count) * paddle.exp(self.logits))

    def log_prob(self, value):
        log_sigmoid = paddle.nn.functional.log_sigmoid
        ways = paddle.lgamma(self.total_count + value) - paddle.lgamma(1 + value) - paddle.lgamma(self.total_count)
        return self.total_count * log_sigmoid(-self.logits) + value * log_sigmoid(self.logits) + ways


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


@rule(torch.distributions.MixtureSameFamily)
class MixtureSameFamily(Drawn):
    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        super().__init__(component_distribution.batch_shape[:-1], component_distribution.event_shape)

    def weigh(self, values):
        """The sum over components, by their shares."""
        shares = self.mixture_distribution.probs
        return (shares.reshape([*shares.shape, *[1] * len(self.event_shape)]) * values).sum(axis=self.axis)

    @property
    def axis(self):
        """That of the components."""
        return -1 - len(self.event_shape)

    @property
    def mean(self):
        return self.weigh(self.component_distribution.mean)

    @property
    def variance(self):
        means = self.component_distribution.mean
        return self.weigh(self.component_distribution.variance + (means - self.mean.unsqueeze(self.axis)) ** 2)

    def log_prob(self, value):
        each = self.component_distribution.log_prob(value.unsqueeze(self.axis))
        return paddle.logsumexp(each + self.mixture_distribution.logits, axis=-1)

    def cdf(self, value):
        each = self.component_distribution.cdf(value.unsqueeze(self.axis))
        return (each * self.mixture_distribution.probs).sum(axis=-1)

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            each = self.component_distribution.sample(sample_shape)
            chosen = self.mixture_distribution.sample(sample_shape)
            chosen = chosen.reshape([*chosen.shape, *[1] * (1 + len(self.event_shape))])
            shape = [*each.shape]
            shape[self.axis] = 1
            return paddle.take_along_axis(each, chosen.expand(shape), self.axis).squeeze(self.axis)


@rule(torch.distributions.relaxed_bernoulli.LogitRelaxedBernoulli)
class LogitRelaxedBernoulli(Drawn):
    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self.logits = log_odds(probs, logits)
        super().__init__(self.logits.shape)

    @property
    def probs(self):
        return paddle.nn.functional.sigmoid(self.logits)

    def rsample(self, sample_shape=()):
        drawn = open_uniform([*sample_shape, *self.batch_shape], self.logits)
        return (log_odds(drawn, None) + self.logits) / self.temperature

    def log_prob(self, value):
        apart = self.logits - value * self.temperature
        scale = paddle.log(self.temperature * paddle.ones_like(self.logits))
        return scale + apart - 2 * paddle.nn.functional.softplus(apart)


@rule(torch.distributions.RelaxedBernoulli)
class RelaxedBernoulli(LogitRelaxedBernoulli):
    def rsample(self, sample_shape=()):
        return paddle.nn.functional.sigmoid(super().rsample(sample_shape))

    def log_prob(self, value):
        return super().log_prob(log_odds(value, None)) - paddle.log(value) - paddle.log1p(-value)


@rule(torch.distributions.relaxed_categorical.ExpRelaxedCategorical)
class ExpRelaxedCategorical(Drawn):
    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self.logits = log_shares(probs, logits)
        super().__init__(self.logits.shape[:-1], self.logits.shape[-1:])

    @property
    def probs(self):
        return paddle.exp(self.logits)

    def rsample(self, sample_shape=()):
        drawn = open_uniform([*sample_shape, *self.logits.shape], self.logits)
        scores = (self.logits - paddle.log(-paddle.log(drawn))) / self.temperature
        return scores - paddle.logsumexp(scores, axis=-1, keepdim=True)

    def log_prob(self, value):
        count = self.logits.shape[-1]
        scale = paddle.log(self.temperature * paddle.ones_like(self.logits[..., 0])) * (count - 1)
        scores = log_shares(None, self.logits - self.temperature * value)
        return scores.sum(axis=-1) + scale + paddle.lgamma(paddle.full([], count, self.logits.dtype))


@rule(torch.distributions.RelaxedOneHotCategorical)
class RelaxedOneHotCategorical(ExpRelaxedCategorical):
    def rsample(self, sample_shape=()):
        return paddle.exp(super().rsample(sample_shape))

    def log_prob(self, value):
        return super().log_prob(paddle.log(value)) - paddle.log(value).sum(axis=-1)
