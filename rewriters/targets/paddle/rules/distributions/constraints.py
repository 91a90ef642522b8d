"""torch.distributions.constraints that have parameters: what values a parameter or a sample may have."""

import paddle
import torch

from rewriters.rule import rule, same

same(
    "torch.distributions.constraints.Constraint.check",
    "torch.distributions.constraints.MixtureSameFamilyConstraint.check",
    "torch.distributions.constraints.cat.check",
    "torch.distributions.constraints.greater_than.check",
    "torch.distributions.constraints.greater_than_eq.check",
    "torch.distributions.constraints.half_open_interval.check",
    "torch.distributions.constraints.independent.check",
    "torch.distributions.constraints.integer_interval.check",
    "torch.distributions.constraints.interval.check",
    "torch.distributions.constraints.less_than.check",
    "torch.distributions.constraints.multinomial.check",
    "torch.distributions.constraints.stack.check",
)


@rule(torch.distributions.constraints.Constraint)
class Constraint:
    """Which of the values are allowed, as a mask; event_dim axes of a value are taken together."""

    is_discrete = False
    event_dim = 0

    def check(self, value):
        raise NotImplementedError


@rule(torch.distributions.constraints.dependent_property)
class DependentProperty(property):
    """The constraint follows from the distribution's parameters."""

    def __init__(self, fn=None, *, is_discrete=False, event_dim=0):
        super().__init__(fn)
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, fn):
        return DependentProperty(fn, is_discrete=self.is_discrete, event_dim=self.event_dim)


@rule(torch.distributions.constraints.dependent)
class Dependent(Constraint):
    @staticmethod
    def check(value):
        raise ValueError("Cannot determine validity of dependent constraint")


@rule(torch.distributions.constraints.is_dependent)
def is_dependent(constraint):
    return constraint is Dependent or isinstance(constraint, DependentProperty)


@rule(torch.distributions.constraints.greater_than)
class GreaterThan(Constraint):
    def __init__(self, lower_bound):
        self.lower_bound = lower_bound

    def check(self, value):
        return value > self.lower_bound


@rule(torch.distributions.constraints.greater_than_eq)
class GreaterThanEq(Constraint):
    def __init__(self, lower_bound):
        self.lower_bound = lower_bound

    def check(self, value):
        return value >= self.lower_bound


@rule(torch.distributions.constraints.less_than)
class LessThan(Constraint):
    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, value):
        return value < self.upper_bound


@rule(torch.distributions.constraints.interval)
class Interval(Constraint):
    def __init__(self, lower_bound, upper_bound):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def check(self, value):
        return (value >= self.lower_bound) & (value <= self.upper_bound)


@rule(torch.distributions.constraints.half_open_interval)
class HalfOpenInterval(Interval):
    def check(self, value):
        return (value >= self.lower_bound) & (value < self.upper_bound)


@rule(torch.distributions.constraints.integer_interval)
class IntegerInterval(Interval):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & super().check(value)


@rule(torch.distributions.constraints.multinomial)
class MultinomialCounts(Constraint):
    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, value):
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)


@rule(torch.distributions.constraints.independent)
class IndependentConstraint(Constraint):
    """Of several axes more taken together."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims
        self.is_discrete = base_constraint.is_discrete
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value):
        found = self.base_constraint.check(value)
        for _ in range(self.reinterpreted_batch_ndims):
            found = found.all(-1)
        return found


@rule(torch.distributions.constraints.MixtureSameFamilyConstraint)
class MixtureSameFamilyConstraint(Constraint):
    """Of a value, by all components alike."""

    def __init__(self, base_constraint):
        self.base_constraint = base_constraint
        self.is_discrete, self.event_dim = base_constraint.is_discrete, base_constraint.event_dim

    def check(self, value):
        axis = -1 - self.event_dim
        each = self.base_constraint.check(value.unsqueeze(axis))
        return each.all(-1)


@rule(torch.distributions.constraints.cat)
class CatConstraint(Constraint):
    """One constraint for each of several parts along an axis."""

    def __init__(self, cseq, dim=0, lengths=None):
        self.cseq, self.dim = list(cseq), dim
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        self.is_discrete = any(c.is_discrete for c in self.cseq)
        self.event_dim = max(c.event_dim for c in self.cseq)

    def check(self, value):
        parts = paddle.split(value, self.lengths, axis=self.dim)
        return paddle.concat([c.check(part) for c, part in zip(self.cseq, parts, strict=True)], axis=self.dim)


@rule(torch.distributions.constraints.stack)
class StackConstraint(Constraint):
    """One constraint for each place along an axis."""

    def __init__(self, cseq, dim=0):
        self.cseq, self.dim = list(cseq), dim
        self.is_discrete = any(c.is_discrete for c in self.cseq)
        self.event_dim = max(c.event_dim for c in self.cseq)

    def check(self, value):
        parts = paddle.unbind(value, axis=self.dim)
        return paddle.stack([c.check(part) for c, part in zip(self.cseq, parts, strict=True)], axis=self.dim)
