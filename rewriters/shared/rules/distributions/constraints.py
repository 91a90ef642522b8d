"""torch.distributions.constraints: what values a parameter or a sample may have.

Where torch has one object without parameters, here is one class, used as it stands: ``Positive.check(value)``.
"""

import torch

from rewriters.rule import family, rule, same

same(
    "torch.distributions.constraints.Constraint.check",
    "torch.distributions.constraints.greater_than.check",
    "torch.distributions.constraints.greater_than_eq.check",
    "torch.distributions.constraints.half_open_interval.check",
    "torch.distributions.constraints.integer_interval.check",
    "torch.distributions.constraints.interval.check",
    "torch.distributions.constraints.less_than.check",
    "torch.distributions.constraints.multinomial.check",
)


@rule(torch.distributions.constraints.Constraint)
class Constraint:
    """Which of the values are allowed, as a mask; event_dim axes of a value are taken together."""

    is_discrete = False
    event_dim = 0

    def check(self, value):
        raise NotImplementedError


@family("greater_than greater_than_eq less_than", "GreaterThan GreaterThanEq LessThan", "lower lower upper", "> >= <")
@rule(torch.distributions.constraints.greater_than)
class GreaterThan(Constraint):
    def __init__(self, lower_bound):
        self.lower_bound = lower_bound

    def check(self, value):
        return value > self.lower_bound


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


@rule(torch.distributions.constraints.real)
class RealNumber(Constraint):
    @staticmethod
    def check(value):
        return value == value


@rule(torch.distributions.constraints.real_vector)
class RealVector(Constraint):
    event_dim = 1

    @staticmethod
    def check(value):
        return (value == value).all(-1)


@family("positive nonnegative", "Positive NonNegative", "> >=")
@rule(torch.distributions.constraints.positive)
class Positive(Constraint):
    @staticmethod
    def check(value):
        return value > 0


@rule(torch.distributions.constraints.unit_interval)
class UnitInterval(Constraint):
    @staticmethod
    def check(value):
        return (value >= 0) & (value <= 1)


@rule(torch.distributions.constraints.boolean)
class Boolean(Constraint):
    is_discrete = True

    @staticmethod
    def check(value):
        return (value == 0) | (value == 1)


@family("nonnegative positive", "NonNegativeInteger PositiveInteger", ("value >= 0)", "value >= 1)"))
@rule(torch.distributions.constraints.nonnegative_integer)
class NonNegativeInteger(Constraint):
    is_discrete = True

    @staticmethod
    def check(value):
        return (value % 1 == 0) & (value >= 0)


@rule(torch.distributions.constraints.one_hot)
class OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    @staticmethod
    def check(value):
        return ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)


@rule(torch.distributions.constraints.simplex)
class Simplex(Constraint):
    event_dim = 1

    @staticmethod
    def check(value):
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


@family("real positive nonnegative boolean simplex", "RealNumber Positive NonNegative Boolean Simplex")
@rule(torch.distributions.constraints.real.check)
def check_real(value):
    return RealNumber.check(value)


@family(
    "real unit nonnegative positive one",
    "vector interval integer integer hot",
    "RealVector UnitInterval NonNegativeInteger PositiveInteger OneHot",
)
@rule(torch.distributions.constraints.real_vector.check)
def check_real_vector(value):
    return RealVector.check(value)
