"""torch.distributions: distributions of whole numbers and of categories."""

import paddle
import torch

from rewriters.rule import rule, same
from rewriters.targets.paddle.rules.distributions.sampling import Drawn, Sampling, open_uniform
from rewriters.targets.paddle.rules.nn.functional.loss import loss_of_logits

same(
    "torch.distributions.Categorical.probs",
    "torch.distributions.Categorical.logits",
    "torch.distributions.Bernoulli.probs",
    "torch.distributions.Bernoulli.logits",
    "torch.distributions.OneHotCategorical.probs",
    "torch.distributions.OneHotCategorical.logits",
)


@rule(torch.distributions.Bernoulli)
class Bernoulli(Sampling, paddle.distribution.Bernoulli):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if logits is not None and not isinstance(logits, paddle.Tensor):
            logits = paddle.to_tensor(float(logits))
        super().__init__(paddle.nn.functional.sigmoid(logits) if probs is None else probs)
        if logits is not None:
            self.logits = logits

    def log_prob(self, value):
        return -loss_of_logits(self.logits, value, None, "none", None)

    def entropy(self):
        # of binary_cross_entropy_with_logits the labels get no gradient
        log_sigmoid, probs = paddle.nn.functional.log_sigmoid, paddle.nn.functional.sigmoid(self.logits)
        return -probs * log_sigmoid(self.logits) - (1 - probs) * log_sigmoid(-self.logits)


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


@rule(torch.distributions.Poisson)
class Poisson(Sampling, paddle.distribution.Poisson):
    def __init__(self, rate, validate_args=None):
        # Paddle's own gives a number an axis
        super().__init__(rate if isinstance(rate, paddle.Tensor) else paddle.to_tensor(float(rate)))


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


@rule(torch.distributions.Geometric)
class Geometric(Sampling, paddle.distribution.Geometric):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(paddle.nn.functional.sigmoid(logits) if probs is None else probs)

    def log_prob(self, value):
        sure = (self.probs == 1) & (value == 0)  # no failure of none possible
        failures = value * paddle.log1p(-paddle.where(sure, paddle.zeros_like(self.probs), self.probs))
        return failures + paddle.log(self.probs)


same(
    "torch.distributions.NegativeBinomial.logits",
    "torch.distributions.NegativeBinomial.probs",
    "torch.distributions.RelaxedBernoulli.logits",
    "torch.distributions.RelaxedBernoulli.probs",
    "torch.distributions.RelaxedOneHotCategorical.logits",
    "torch.distributions.RelaxedOneHotCategorical.probs",
    "torch.distributions.relaxed_bernoulli.LogitRelaxedBernoulli.logits",
    "torch.distributions.relaxed_bernoulli.LogitRelaxedBernoulli.probs",
    "torch.distributions.relaxed_categorical.ExpRelaxedCategorical.logits",
    "torch.distributions.relaxed_categorical.ExpRelaxedCategorical.probs",
)


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
