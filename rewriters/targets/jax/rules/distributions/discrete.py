"""torch.distributions: distributions of whole numbers and of categories."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.distributions.distribution import Distribution, alike_in_shape
from rewriters.targets.jax.rules.generator import rngs

same(
    "torch.distributions.Categorical.probs",
    "torch.distributions.Categorical.logits",
    "torch.distributions.Bernoulli.probs",
    "torch.distributions.Bernoulli.logits",
    "torch.distributions.OneHotCategorical.probs",
    "torch.distributions.OneHotCategorical.logits",
)


def inside(probs):
    """Neither 0 nor 1, of which the logarithms have no gradient."""
    eps = jnp.finfo(probs.dtype).eps
    return jnp.clip(probs, eps, 1 - eps)


@rule(torch.distributions.Bernoulli)
class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        (given,) = alike_in_shape(logits if probs is None else probs)
        self.probs = jax.nn.sigmoid(given) if probs is None else given
        self.logits = given if probs is None else jnp.log(inside(given)) - jnp.log1p(-inside(given))
        super().__init__(given.shape)

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        drawn = rngs.bernoulli(jax.lax.stop_gradient(self.probs), self.extended(sample_shape))
        return drawn.astype(self.probs.dtype)

    def cross_entropy(self, value):
        return jnp.maximum(self.logits, 0) - self.logits * value + jnp.log1p(jnp.exp(-jnp.abs(self.logits)))

    def log_prob(self, value):
        return -self.cross_entropy(value)

    def entropy(self):
        return self.cross_entropy(self.probs)

    def divergence(self, other):
        return other.cross_entropy(self.probs) - self.entropy()


@rule(torch.distributions.Categorical)
class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        if probs is None:
            self.logits = logits - jax.nn.logsumexp(logits, axis=-1, keepdims=True)
            self.probs = jax.nn.softmax(self.logits, axis=-1)
        else:
            self.probs = probs / probs.sum(axis=-1, keepdims=True)
            self.logits = jnp.log(inside(self.probs))
        super().__init__(self.logits.shape[:-1])

    @property
    def mode(self):
        return self.probs.argmax(axis=-1)

    def sample(self, sample_shape=()):
        logits = jnp.log(jax.lax.stop_gradient(self.probs))
        return rngs.categorical(logits, axis=-1, shape=(*sample_shape, *self.batch_shape)).astype(jnp.int64)

    def log_prob(self, value):
        shape = jnp.broadcast_shapes(value.shape, self.batch_shape)
        logits = jnp.broadcast_to(self.logits, (*shape, self.logits.shape[-1]))
        index = jnp.broadcast_to(value.astype(jnp.int64), shape)[..., None]
        return jnp.take_along_axis(logits, index, axis=-1)[..., 0]

    def entropy(self):
        finite = jnp.maximum(self.logits, jnp.finfo(self.logits.dtype).min)
        return -(finite * self.probs).sum(axis=-1)

    def divergence(self, other):
        apart = self.probs * (self.logits - other.logits)
        apart = jnp.where(other.probs == 0, jnp.inf, apart)
        return jnp.where(self.probs == 0, 0, apart).sum(axis=-1)


@rule(torch.distributions.OneHotCategorical)
class OneHotCategorical(Categorical):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits)
        self.event_shape = self.logits.shape[-1:]

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    @property
    def mode(self):
        return jax.nn.one_hot(super().mode, self.event_shape[0], dtype=self.probs.dtype)

    def sample(self, sample_shape=()):
        return jax.nn.one_hot(super().sample(sample_shape), self.event_shape[0], dtype=self.probs.dtype)

    def log_prob(self, value):
        return super().log_prob(value.argmax(axis=-1))
