"""torch.distributions.constraints that have no parameters: what values a parameter or a sample may have.

Where torch has one object, here is one class, used as it stands: ``Positive.check(value)``.
"""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.distributions.constraints.real)
class RealNumber:
    is_discrete = False
    event_dim = 0

    @staticmethod
    def check(value):
        return ~paddle.isnan(value)


@rule("torch.distributions.constraints.real.check")
def check_real(value):
    return RealNumber.check(value)


@rule(torch.distributions.constraints.positive)
class Positive:
    is_discrete = False
    event_dim = 0

    @staticmethod
    def check(value):
        return value > 0


@rule("torch.distributions.constraints.positive.check")
def check_positive(value):
    return Positive.check(value)


@rule(torch.distributions.constraints.nonnegative)
class NonNegative:
    is_discrete = False
    event_dim = 0

    @staticmethod
    def check(value):
        return value >= 0


@rule("torch.distributions.constraints.nonnegative.check")
def check_nonnegative(value):
    return NonNegative.check(value)


@rule(torch.distributions.constraints.unit_interval)
class UnitInterval:
    is_discrete = False
    event_dim = 0

    @staticmethod
    def check(value):
        return (value >= 0) & (value <= 1)


@rule("torch.distributions.constraints.unit_interval.check")
def check_unit_interval(value):
    return UnitInterval.check(value)


@rule(torch.distributions.constraints.boolean)
class Boolean:
    is_discrete = True
    event_dim = 0

    @staticmethod
    def check(value):
        return (value == 0) | (value == 1)


@rule("torch.distributions.constraints.boolean.check")
def check_boolean(value):
    return Boolean.check(value)


@rule(torch.distributions.constraints.nonnegative_integer)
class NonNegativeInteger:
    is_discrete = True
    event_dim = 0

    @staticmethod
    def check(value):
        return (value % 1 == 0) & (value >= 0)


@rule("torch.distributions.constraints.nonnegative_integer.check")
def check_nonnegative_integer(value):
    return NonNegativeInteger.check(value)


@rule(torch.distributions.constraints.positive_integer)
class PositiveInteger:
    is_discrete = True
    event_dim = 0

    @staticmethod
    def check(value):
        return (value % 1 == 0) & (value >= 1)


@rule("torch.distributions.constraints.positive_integer.check")
def check_positive_integer(value):
    return PositiveInteger.check(value)


@rule(torch.distributions.constraints.one_hot)
class OneHot:
    is_discrete = True
    event_dim = 1

    @staticmethod
    def check(value):
        return ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)


@rule("torch.distributions.constraints.one_hot.check")
def check_one_hot(value):
    return OneHot.check(value)


@rule(torch.distributions.constraints.simplex)
class Simplex:
    is_discrete = False
    event_dim = 1

    @staticmethod
    def check(value):
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


@rule("torch.distributions.constraints.simplex.check")
def check_simplex(value):
    return Simplex.check(value)


@rule(torch.distributions.constraints.real_vector)
class RealVector:
    is_discrete = False
    event_dim = 1

    @staticmethod
    def check(value):
        return (~paddle.isnan(value)).all(-1)


@rule("torch.distributions.constraints.real_vector.check")
def check_real_vector(value):
    return RealVector.check(value)


@rule(torch.distributions.constraints.lower_triangular)
class LowerTriangular:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        return (paddle.tril(value) == value).flatten(-2).all(-1)


@rule("torch.distributions.constraints.lower_triangular.check")
def check_lower_triangular(value):
    return LowerTriangular.check(value)


@rule(torch.distributions.constraints.lower_cholesky)
class LowerCholesky:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        above_zero = (paddle.diagonal(value, axis1=-2, axis2=-1) > 0).all(-1)
        return LowerTriangular.check(value) & above_zero


@rule("torch.distributions.constraints.lower_cholesky.check")
def check_lower_cholesky(value):
    return LowerCholesky.check(value)


@rule(torch.distributions.constraints.corr_cholesky)
class CorrCholesky:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        tolerance = paddle.finfo(value.dtype).eps * value.shape[-1] * 10
        unit_rows = ((paddle.linalg.norm(value, axis=-1) - 1).abs() <= tolerance).all(-1)
        return LowerCholesky.check(value) & unit_rows


@rule("torch.distributions.constraints.corr_cholesky.check")
def check_corr_cholesky(value):
    return CorrCholesky.check(value)


@rule(torch.distributions.constraints.square)
class SquareMatrix:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        return paddle.full(value.shape[:-2], value.shape[-2] == value.shape[-1], "bool")


@rule("torch.distributions.constraints.square.check")
def check_square(value):
    return SquareMatrix.check(value)


@rule(torch.distributions.constraints.symmetric)
class SymmetricMatrix:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        if value.shape[-2] != value.shape[-1]:
            return SquareMatrix.check(value)
        return paddle.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


@rule("torch.distributions.constraints.symmetric.check")
def check_symmetric(value):
    return SymmetricMatrix.check(value)


@rule(torch.distributions.constraints.positive_semidefinite)
class PositiveSemidefinite:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        return SymmetricMatrix.check(value) & (paddle.linalg.eigvalsh(value) >= 0).all(-1)


@rule("torch.distributions.constraints.positive_semidefinite.check")
def check_positive_semidefinite(value):
    return PositiveSemidefinite.check(value)


@rule(torch.distributions.constraints.positive_definite)
class PositiveDefinite:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        return SymmetricMatrix.check(value) & (paddle.linalg.eigvalsh(value) > 0).all(-1)


@rule("torch.distributions.constraints.positive_definite.check")
def check_positive_definite(value):
    return PositiveDefinite.check(value)
