"""torch.distributions: what distributions have in common, and those made of others."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule, same

same(
    "torch.distributions.Distribution.sample",
    "torch.distributions.Distribution.rsample",
    "torch.distributions.Distribution.log_prob",
    "torch.distributions.Distribution.entropy",
    "torch.distributions.Distribution.cdf",
    "torch.distributions.Distribution.icdf",
    "torch.distributions.Distribution.perplexity",
    "torch.distributions.Distribution.batch_shape",
    "torch.distributions.Distribution.event_shape",
    "torch.distributions.Distribution.mean",
    "torch.distributions.Distribution.mode",
    "torch.distributions.Distribution.variance",
    "torch.distributions.Distribution.stddev",
)


def alike_in_shape(*values):
    """Numbers and arrays as arrays of one shape; numbers have the arrays' dtype, or are float32."""
    dtypes = [value.dtype for value in values if isinstance(value, jax.Array)]
    dtype = jnp.result_type(*dtypes) if dtypes else jnp.float32
    return jnp.broadcast_arrays(*(jnp.asarray(value, None if hasattr(value, "dtype") else dtype) for value in values))


@rule(torch.distributions.Distribution)
class Distribution:
    """It draws from the program's generator, and never validates what it is given."""

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self.batch_shape, self.event_shape = tuple(batch_shape), tuple(event_shape)

    def extended(self, sample_shape):
        return (*sample_shape, *self.batch_shape, *self.event_shape)

    def rsample(self, sample_shape=()):
        raise NotImplementedError

    def sample(self, sample_shape=()):
        return jax.lax.stop_gradient(self.rsample(sample_shape))

    def log_prob(self, value):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return jnp.exp(self.entropy())

    @property
    def stddev(self):
        return jnp.sqrt(self.variance)


@rule(torch.distributions.Independent)
class Independent(Distribution):
    """The last axes of another's batch are one event."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape = base_distribution.batch_shape + base_distribution.event_shape
        own = reinterpreted_batch_ndims + len(base_distribution.event_shape)
        super().__init__(shape[: len(shape) - own], shape[len(shape) - own :])
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims

    def summed(self, value):
        return value.sum(axis=tuple(range(value.ndim - self.reinterpreted_batch_ndims, value.ndim)))

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return self.summed(self.base_dist.log_prob(value))

    def entropy(self):
        return self.summed(self.base_dist.entropy())

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def mode(self):
        return self.base_dist.mode

    @property
    def variance(self):
        return self.base_dist.variance


@rule(torch.distributions.kl_divergence)
def kl_divergence(p, q):
    if isinstance(p, Independent) and isinstance(q, Independent):
        if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
            raise NotImplementedError
        return p.summed(kl_divergence(p.base_dist, q.base_dist))
    if type(p) is not type(q) or not hasattr(p, "divergence"):
        raise NotImplementedError(f"the divergence of {type(p).__name__} from {type(q).__name__} has no rule")
    return p.divergence(q)
