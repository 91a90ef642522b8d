"""Distributions over choices, by their formulas."""

import oneflow
import torch

from rewriters.rule import rule, same
from rewriters.targets.oneflow.rules.distributions.utils import logits_to_probs, probs_to_logits

same(
    "torch.distributions.Bernoulli.logits",
    "torch.distributions.Bernoulli.param_shape",
    "torch.distributions.Bernoulli.probs",
    "torch.distributions.Categorical.logits",
    "torch.distributions.Categorical.param_shape",
    "torch.distributions.Categorical.probs",
    "torch.distributions.OneHotCategorical.logits",
    "torch.distributions.OneHotCategorical.param_shape",
    "torch.distributions.OneHotCategorical.probs",
)


def one_given(probs, logits):
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


@rule(torch.distributions.Bernoulli)
class Bernoulli(torch.distributions.Distribution):
    has_enumerate_support = True
    held = ("_probs", "_logits")

    def __init__(self, probs=None, logits=None, validate_args=None):
        one_given(probs, logits)
        (given,) = self.spread(logits if probs is None else probs)
        self._probs, self._logits = (None, given) if probs is None else (given, None)
        super().__init__(given.shape, (), validate_args)
        if probs is None:
            self.require("logits", given, given == given, "real numbers")
        else:
            self.require("probs", given, oneflow.logical_and(given >= 0, given <= 1), "between 0 and 1")

    @property
    def probs(self):
        return logits_to_probs(self._logits, True) if self._probs is None else self._probs

    @property
    def logits(self):
        return probs_to_logits(self._probs, True) if self._logits is None else self._logits

    @property
    def param_shape(self):
        return self._batch_shape

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        probs = self.probs
        found = (probs >= 0.5).to(probs.dtype)
        return oneflow.where(probs == 0.5, oneflow.full_like(found, float("nan")), found)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        with oneflow.no_grad():
            probs = self.probs
            drawn = oneflow.rand(self._extended_shape(sample_shape), dtype=probs.dtype, device=probs.device)
            return (drawn < probs).to(probs.dtype)

    def log_prob(self, value):
        self.admit(value, lambda v: oneflow.logical_or(v == 0, v == 1), "0 or 1")
        logits, value = oneflow.broadcast_tensors(self.logits, value)
        return -oneflow.nn.functional.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return oneflow.nn.functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand=True):
        probs = self.probs
        found = oneflow.arange(2, dtype=probs.dtype, device=probs.device).reshape([2, *[1] * probs.ndim])
        return found.expand(oneflow.Size([2, *probs.shape])) if expand else found

    def divergence(self, other):
        p, q = self.probs, other.probs
        softplus, zero, none = oneflow.nn.functional.softplus, oneflow.zeros_like(p), oneflow.full_like(p, float("inf"))
        one = p * (softplus(-other.logits) - softplus(-self.logits))
        one = oneflow.where(p == 0, zero, oneflow.where(q == 0, none, one))
        other_one = (1 - p) * (softplus(other.logits) - softplus(self.logits))
        return one + oneflow.where(p == 1, zero, oneflow.where(q == 1, none, other_one))


@rule(torch.distributions.Categorical)
class Categorical(torch.distributions.Distribution):
    has_enumerate_support = True
    held = ("_probs", "_logits")

    def __init__(self, probs=None, logits=None, validate_args=None):
        one_given(probs, logits)
        given = logits if probs is None else probs
        if given.ndim < 1:
            raise ValueError("`probs` or `logits` must be at least one-dimensional.")
        super().__init__(given.shape[:-1], (), validate_args)
        if probs is None:
            self.require("logits", given, given == given, "real numbers")
            self._probs, self._logits = None, given - oneflow.logsumexp(given, -1, keepdim=True)
        else:
            self._probs, self._logits = given / given.sum(-1, keepdim=True), None
            self.require("probs", given, self._probs >= 0, "shares of one sum, none below 0")

    @property
    def probs(self):
        # not softmax: that of oneDNN is less exact
        return oneflow.exp(self._logits) if self._probs is None else self._probs

    @property
    def logits(self):
        return probs_to_logits(self._probs) if self._logits is None else self._logits

    @property
    def param_shape(self):
        return (self._logits if self._probs is None else self._probs).shape

    @property
    def mean(self):
        return oneflow.full_like(self.probs[..., 0], float("nan"))

    @property
    def variance(self):
        return oneflow.full_like(self.probs[..., 0], float("nan"))

    @property
    def mode(self):
        return oneflow.argmax(self.probs, dim=-1)

    def sample(self, sample_shape=()):
        with oneflow.no_grad():
            rows = self.probs.reshape([-1, self.param_shape[-1]])
            drawn = oneflow.multinomial(rows, oneflow.Size([*sample_shape]).numel(), replacement=True)
            return drawn.t().reshape([*sample_shape, *self._batch_shape])

    def log_prob(self, value):
        count = self.param_shape[-1]
        self.admit(
            value, lambda v: oneflow.logical_and(v == v.long(), oneflow.logical_and(v >= 0, v < count)), "choices"
        )
        value, logits = value.long(), self.logits
        shape = oneflow.broadcast_shapes(value.shape, logits.shape[:-1])
        logits = logits.expand(oneflow.Size([*shape, count]))
        return oneflow.gather(logits, -1, value.expand(shape).unsqueeze(-1)).squeeze(-1)

    def entropy(self):
        logits = oneflow.clamp(self.logits, min=oneflow.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        count = self.param_shape[-1]
        found = oneflow.arange(count, device=self.probs.device).reshape([-1, *[1] * len(self._batch_shape)])
        return found.expand(oneflow.Size([count, *self._batch_shape])) if expand else found

    def divergence(self, other):
        p, q = self.probs, other.probs
        found = p * (self.logits - other.logits)
        found = oneflow.where(q == 0, oneflow.full_like(found, float("inf")), found)
        return oneflow.where(p == 0, oneflow.zeros_like(found), found).sum(-1)


@rule(torch.distributions.OneHotCategorical)
class OneHotCategorical(torch.distributions.Distribution):
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits, validate_args)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def param_shape(self):
        return self._categorical.param_shape

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        return self.hot(self._categorical.mode)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def hot(self, index):
        return oneflow.nn.functional.one_hot(index, self.event_shape[0]).to(self.probs.dtype)

    def sample(self, sample_shape=()):
        return self.hot(self._categorical.sample(sample_shape))

    def log_prob(self, value):
        self.admit(value, lambda v: oneflow.logical_or(v == 0, v == 1), "one-hot")
        return self._categorical.log_prob(oneflow.argmax(value, dim=-1))

    def entropy(self):
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        return self.hot(self._categorical.enumerate_support(expand))

    def expand(self, batch_shape, _instance=None):
        found = super().expand(batch_shape)
        found._categorical = self._categorical.expand(batch_shape)
        return found

    def divergence(self, other):
        return self._categorical.divergence(other._categorical)

    def __repr__(self):
        return type(self).__name__ + "()"


@rule(torch.distributions.OneHotCategoricalStraightThrough)
class OneHotCategoricalStraightThrough(OneHotCategorical):
    has_rsample = True

    def rsample(self, sample_shape=()):
        return self.sample(sample_shape) + (self.probs - self.probs.detach())
