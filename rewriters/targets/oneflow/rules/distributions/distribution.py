"""torch.distributions, of which OneFlow has next to nothing: the base, what is made of others, divergences."""

import copy

import oneflow
import torch

from rewriters.rule import rule, same

same(
    "torch.distributions.Distribution.batch_shape",
    "torch.distributions.Distribution.cdf",
    "torch.distributions.Distribution.entropy",
    "torch.distributions.Distribution.enumerate_support",
    "torch.distributions.Distribution.event_shape",
    "torch.distributions.Distribution.expand",
    "torch.distributions.Distribution.icdf",
    "torch.distributions.Distribution.log_prob",
    "torch.distributions.Distribution.mean",
    "torch.distributions.Distribution.mode",
    "torch.distributions.Distribution.perplexity",
    "torch.distributions.Distribution.rsample",
    "torch.distributions.Distribution.sample",
    "torch.distributions.Distribution.sample_n",
    "torch.distributions.Distribution.stddev",
    "torch.distributions.Distribution.variance",
)


@rule(torch.distributions.Distribution)
class Distribution:
    """Shapes, checks and samples. Of ``held`` are the tensors that expand with the batch."""

    has_rsample = False
    has_enumerate_support = False
    held = ()
    _validate_args = True

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape, self._event_shape = oneflow.Size([*batch_shape]), oneflow.Size([*event_shape])
        if validate_args is not None:
            self._validate_args = validate_args

    def spread(self, *values):
        """The parameters, tensors or numbers, in one shape."""
        given = next((value for value in values if isinstance(value, oneflow.Tensor)), None)
        dtype = oneflow.get_default_dtype() if given is None else given.dtype
        device = None if given is None else given.device
        found = [v if isinstance(v, oneflow.Tensor) else oneflow.tensor(v, dtype=dtype, device=device) for v in values]
        shape = oneflow.broadcast_shapes(*[value.shape for value in found])
        return [value if value.shape == shape else value.expand(shape) for value in found]

    def require(self, name, value, holds, what):
        """A parameter that is not what it has to be is told as by torch."""
        if self._validate_args and not bool(holds.all()):
            raise ValueError(f"Expected parameter {name} of {type(self).__name__} to be {what}, but found: {value}")

    def admit(self, value, holds, what):
        """The same of a value."""
        if not isinstance(value, oneflow.Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        if self._validate_args and not bool(holds(value).all()):
            raise ValueError(f"Expected values of {type(self).__name__} to be {what}, but found: {value}")

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def stddev(self):
        return oneflow.sqrt(self.variance)

    def sample(self, sample_shape=()):
        with oneflow.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=()):
        raise NotImplementedError(f"{type(self).__name__} has no rsample")

    def sample_n(self, n):
        return self.sample((n,))

    def log_prob(self, value):
        raise NotImplementedError(f"{type(self).__name__} has no log_prob")

    def cdf(self, value):
        raise NotImplementedError(f"{type(self).__name__} has no cdf")

    def icdf(self, value):
        raise NotImplementedError(f"{type(self).__name__} has no icdf")

    def entropy(self):
        raise NotImplementedError(f"{type(self).__name__} has no entropy")

    def enumerate_support(self, expand=True):
        raise NotImplementedError(f"{type(self).__name__} has no enumerate_support")

    def perplexity(self):
        return oneflow.exp(self.entropy())

    def expand(self, batch_shape, _instance=None):
        found, batch = copy.copy(self), oneflow.Size([*batch_shape])
        for name in self.held:
            value = getattr(self, name)
            if value is not None:
                setattr(found, name, value.expand(oneflow.Size([*batch, *value.shape[len(self._batch_shape) :]])))
        found._batch_shape = batch
        return found

    def _extended_shape(self, sample_shape=()):
        return oneflow.Size([*sample_shape, *self._batch_shape, *self._event_shape])

    def divergence(self, other):
        """The Kullback-Leibler divergence from another of the same kind."""
        missing = NotImplementedError(f"No KL(p || q) is implemented for {type(self).__name__}")
        raise missing  # torch raises it too: it is no mark

    def __repr__(self):
        parts = {name.lstrip("_"): getattr(self, name) for name in self.held}
        told = {name: v.item() if v.numel() == 1 else v.shape for name, v in parts.items() if v is not None}
        return type(self).__name__ + "(" + ", ".join(f"{name}: {value}" for name, value in told.items()) + ")"


@rule(torch.distributions.Distribution.set_default_validate_args)
def set_default_validate_args(value):
    Distribution._validate_args = value


@rule(torch.distributions.ExponentialFamily)
class ExponentialFamily(Distribution):
    """Whose entropy torch derives from the natural parameters: here each class says its own."""


def summed(value, count):
    """The sum over the last axes."""
    return value.reshape([*value.shape[: value.ndim - count], -1]).sum(-1) if count else value


@rule(torch.distributions.Independent)
class Independent(Distribution):
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape, count = base_distribution.batch_shape, reinterpreted_batch_ndims
        if count > len(shape):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), "
                f"actual {count} vs {len(shape)}"
            )
        first = len(shape) - count
        super().__init__(shape[:first], [*shape[first:], *base_distribution.event_shape], validate_args)
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, count

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self):
        return self.reinterpreted_batch_ndims == 0 and self.base_dist.has_enumerate_support

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def mode(self):
        return self.base_dist.mode

    @property
    def variance(self):
        return self.base_dist.variance

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return summed(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return summed(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand=True):
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand)

    def expand(self, batch_shape, _instance=None):
        found, inner = copy.copy(self), self.event_shape[: self.reinterpreted_batch_ndims]
        found.base_dist = self.base_dist.expand([*batch_shape, *inner])
        found._batch_shape = oneflow.Size([*batch_shape])
        return found

    def divergence(self, other):
        if self.reinterpreted_batch_ndims != other.reinterpreted_batch_ndims:
            missing = NotImplementedError("No KL(p || q) of Independents of different batches")
            raise missing
        return summed(kl_divergence(self.base_dist, other.base_dist), self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"


divergences = {}


@rule(torch.distributions.register_kl)
def register_kl(type_p, type_q):
    def keep(function):
        divergences[type_p, type_q] = function
        return function

    return keep


@rule(torch.distributions.kl_divergence)
def kl_divergence(p, q):
    kinds = [(a, b) for a in type(p).__mro__ for b in type(q).__mro__ if (a, b) in divergences]
    if kinds:
        return divergences[kinds[0]](p, q)
    for kind in type(p).__mro__:
        if "divergence" in vars(kind) and kind is not Distribution and isinstance(q, kind):
            return p.divergence(q)
    missing = NotImplementedError(f"No KL(p || q) is implemented for {type(p).__name__} and {type(q).__name__}")
    raise missing


same("torch.distributions.TransformedDistribution.base_dist", "torch.distributions.TransformedDistribution.transforms")
