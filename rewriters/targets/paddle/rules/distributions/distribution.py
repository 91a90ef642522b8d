"""torch.distributions: what distributions have in common, and those made of others."""

import paddle
import torch

from rewriters.rule import alias, family, rule, same
from rewriters.targets.paddle.rules.distributions.discrete import Categorical
from rewriters.targets.paddle.rules.distributions.sampling import Drawn, Sampling
from rewriters.targets.paddle.rules.distributions.transforms import (
    CatTransform,
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
)


def moved(transform, loc, scale):
    """The transform, then a shift and a scale."""
    affine = paddle.distribution.AffineTransform(
        *(v if isinstance(v, paddle.Tensor) else paddle.to_tensor(float(v)) for v in (loc, scale))
    )
    return affine if transform is None else paddle.distribution.ChainTransform([transform, affine])


def onto(constraint, simplex):
    """A transform from all real numbers onto what a constraint (of distribution_constraints.py) allows."""
    kind = constraint.__name__ if isinstance(constraint, type) else type(constraint).__name__
    if kind in ("RealNumber", "RealVector"):
        return moved(None, 0, 1)
    if kind in ("Positive", "NonNegative"):
        return paddle.distribution.ExpTransform()
    if kind in ("GreaterThan", "GreaterThanEq"):
        return moved(paddle.distribution.ExpTransform(), constraint.lower_bound, 1)
    if kind == "LessThan":
        return moved(paddle.distribution.ExpTransform(), constraint.upper_bound, -1)
    if kind == "UnitInterval":
        return paddle.distribution.SigmoidTransform()
    if kind in ("Interval", "HalfOpenInterval"):
        low, high = constraint.lower_bound, constraint.upper_bound
        return moved(paddle.distribution.SigmoidTransform(), low, high - low)
    if kind == "Simplex":
        return simplex
    if kind == "IndependentConstraint":
        base = onto(constraint.base_constraint, simplex)
        return paddle.distribution.IndependentTransform(base, constraint.reinterpreted_batch_ndims)
    if kind == "CatConstraint":
        return CatTransform([onto(c, simplex) for c in constraint.cseq], constraint.dim, constraint.lengths)
    if kind == "StackConstraint":
        return paddle.distribution.StackTransform([onto(c, simplex) for c in constraint.cseq], constraint.dim)
    matrices = {
        "LowerCholesky": LowerCholeskyTransform,
        "CorrCholesky": CorrCholeskyTransform,
        "PositiveDefinite": PositiveDefiniteTransform,
        "PositiveSemidefinite": PositiveDefiniteTransform,
    }
    if kind not in matrices:
        raise NotImplementedError(f"Cannot transform {kind} constraints")
    return matrices[kind]()


@family("biject transform", "StickBreakingTransform SoftmaxTransform")
@rule(torch.distributions.biject_to)
def biject_to(constraint):
    return onto(constraint, paddle.distribution.StickBreakingTransform())


alias(torch.distributions.Distribution, "paddle.distribution.Distribution")


@rule("torch.distributions.Distribution:base")
class ProgramsDistribution(paddle.distribution.Distribution):
    """What a program's distribution derives from: it takes torch's arguments, and never validates."""

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        super().__init__(batch_shape, event_shape)


alias(torch.distributions.ExponentialFamily, "paddle.distribution.ExponentialFamily")
alias(torch.distributions.register_kl, "paddle.distribution.register_kl")


same(
    "torch.distributions.Distribution.sample",
    "torch.distributions.Distribution.rsample",
    "torch.distributions.Distribution.log_prob",
    "torch.distributions.Distribution.entropy",
    "torch.distributions.Distribution.cdf",
    "torch.distributions.Distribution.icdf",
    "torch.distributions.Distribution.perplexity",
)


@rule(torch.distributions.kl_divergence)
def kl_divergence(p, q):
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        return (p.probs * (p.logits - q.logits)).sum(axis=-1)
    if "kl_divergence" in type(p).__dict__:
        return p.kl_divergence(q)
    return paddle.distribution.kl_divergence(p, q)


@rule(torch.distributions.Independent)
class Independent(Sampling, paddle.distribution.Independent):
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        super().__init__(base_distribution, reinterpreted_batch_ndims)
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims

    def rsample(self, sample_shape=()):
        return self._base.rsample(list(sample_shape))


@rule(torch.distributions.TransformedDistribution)
class TransformedDistribution(Sampling, paddle.distribution.TransformedDistribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = transforms if isinstance(transforms, list) else [transforms]
        super().__init__(base_distribution, self.transforms)


same(
    "torch.distributions.MixtureSameFamily.component_distribution",
    "torch.distributions.MixtureSameFamily.mixture_distribution",
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
