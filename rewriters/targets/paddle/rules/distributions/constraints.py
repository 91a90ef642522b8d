"""torch.distributions.constraints of matrices, of several parts, and of what depends on other parameters."""

import paddle
import torch

from rewriters.rule import family, rule, same
from rewriters.shared.rules.distributions.constraints import Constraint

same(
    "torch.distributions.constraints.MixtureSameFamilyConstraint.check",
    "torch.distributions.constraints.cat.check",
    "torch.distributions.constraints.independent.check",
    "torch.distributions.constraints.stack.check",
)


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


@rule(torch.distributions.constraints.lower_triangular)
class LowerTriangular(Constraint):
    event_dim = 2

    @staticmethod
    def check(value):
        return (paddle.tril(value) == value).flatten(-2).all(-1)


@rule(torch.distributions.constraints.lower_cholesky)
class LowerCholesky(Constraint):
    event_dim = 2

    @staticmethod
    def check(value):
        above_zero = (paddle.diagonal(value, axis1=-2, axis2=-1) > 0).all(-1)
        return LowerTriangular.check(value) & above_zero


@rule(torch.distributions.constraints.corr_cholesky)
class CorrCholesky(Constraint):
    event_dim = 2

    @staticmethod
    def check(value):
        tolerance = paddle.finfo(value.dtype).eps * value.shape[-1] * 10
        unit_rows = ((paddle.linalg.norm(value, axis=-1) - 1).abs() <= tolerance).all(-1)
        return LowerCholesky.check(value) & unit_rows


@rule(torch.distributions.constraints.square)
class SquareMatrix(Constraint):
    event_dim = 2

    @staticmethod
    def check(value):
        return paddle.full(value.shape[:-2], value.shape[-2] == value.shape[-1], "bool")


@rule(torch.distributions.constraints.symmetric)
class SymmetricMatrix(Constraint):
    event_dim = 2

    @staticmethod
    def check(value):
        if value.shape[-2] != value.shape[-1]:
            return SquareMatrix.check(value)
        return paddle.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


@rule(torch.distributions.constraints.positive_semidefinite)
class PositiveSemidefinite(Constraint):
    event_dim = 2

    @staticmethod
    def check(value):
        return SymmetricMatrix.check(value) & (paddle.linalg.eigvalsh(value) >= 0).all(-1)


@rule(torch.distributions.constraints.positive_definite)
class PositiveDefinite(Constraint):
    event_dim = 2

    @staticmethod
    def check(value):
        return SymmetricMatrix.check(value) & (paddle.linalg.eigvalsh(value) > 0).all(-1)


@family(
    "lower_triangular lower_cholesky corr_cholesky positive_semidefinite positive_definite square symmetric",
    "LowerTriangular LowerCholesky CorrCholesky PositiveSemidefinite PositiveDefinite SquareMatrix SymmetricMatrix",
)
@rule(torch.distributions.constraints.lower_triangular.check)
def check_lower_triangular(value):
    return LowerTriangular.check(value)
