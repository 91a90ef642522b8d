"""torch.distributions.constraints that have no parameters: what values a parameter or a sample may have.

Where torch has one object, here is one class, used as it stands: ``Positive.check(value)``.
"""

import paddle
import torch

from rewriters.rule import family, rule


@rule(torch.distributions.constraints.real)
class RealNumber:
    is_discrete = False
    event_dim = 0

    @staticmethod
    def check(value):
        return ~paddle.isnan(value)


@family(
    "real positive nonnegative boolean simplex square symmetric",
    "RealNumber Positive NonNegative Boolean Simplex SquareMatrix SymmetricMatrix",
)
@rule(torch.distributions.constraints.real.check)
def check_real(value):
    return RealNumber.check(value)


@rule(torch.distributions.constraints.positive)
class Positive:
    is_discrete = False
    event_dim = 0

    @staticmethod
    def check(value):
        return value > 0


@rule(torch.distributions.constraints.nonnegative)
class NonNegative:
    is_discrete = False
    event_dim = 0

    @staticmethod
    def check(value):
        return value >= 0


@rule(torch.distributions.constraints.unit_interval)
class UnitInterval:
    is_discrete = False
    event_dim = 0

    @staticmethod
    def check(value):
        return (value >= 0) & (value <= 1)


@family(
    "unit nonnegative positive one real lower lower corr positive positive",
    "interval integer integer hot vector triangular cholesky cholesky semidefinite definite",
    "UnitInterval NonNegativeInteger PositiveInteger OneHot RealVector LowerTriangular LowerCholesky "
    "CorrCholesky PositiveSemidefinite PositiveDefinite",
)
@rule(torch.distributions.constraints.unit_interval.check)
def check_unit_interval(value):
    return UnitInterval.check(value)


@rule(torch.distributions.constraints.boolean)
class Boolean:
    is_discrete = True
    event_dim = 0

    @staticmethod
    def check(value):
        return (value == 0) | (value == 1)


@family("nonnegative positive", "NonNegativeInteger PositiveInteger", ("value >= 0)", "value >= 1)"))
@rule(torch.distributions.constraints.nonnegative_integer)
class NonNegativeInteger:
    is_discrete = True
    event_dim = 0

    @staticmethod
    def check(value):
        return (value % 1 == 0) & (value >= 0)


@rule(torch.distributions.constraints.one_hot)
class OneHot:
    is_discrete = True
    event_dim = 1

    @staticmethod
    def check(value):
        return ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)


@rule(torch.distributions.constraints.simplex)
class Simplex:
    is_discrete = False
    event_dim = 1

    @staticmethod
    def check(value):
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


@rule(torch.distributions.constraints.real_vector)
class RealVector:
    is_discrete = False
    event_dim = 1

    @staticmethod
    def check(value):
        return (~paddle.isnan(value)).all(-1)


@rule(torch.distributions.constraints.lower_triangular)
class LowerTriangular:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        return (paddle.tril(value) == value).flatten(-2).all(-1)


@rule(torch.distributions.constraints.lower_cholesky)
class LowerCholesky:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        above_zero = (paddle.diagonal(value, axis1=-2, axis2=-1) > 0).all(-1)
        return LowerTriangular.check(value) & above_zero


@rule(torch.distributions.constraints.corr_cholesky)
class CorrCholesky:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        tolerance = paddle.finfo(value.dtype).eps * value.shape[-1] * 10
        unit_rows = ((paddle.linalg.norm(value, axis=-1) - 1).abs() <= tolerance).all(-1)
        return LowerCholesky.check(value) & unit_rows


@rule(torch.distributions.constraints.square)
class SquareMatrix:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        return paddle.full(value.shape[:-2], value.shape[-2] == value.shape[-1], "bool")


@rule(torch.distributions.constraints.symmetric)
class SymmetricMatrix:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        if value.shape[-2] != value.shape[-1]:
            return SquareMatrix.check(value)
        return paddle.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


@rule(torch.distributions.constraints.positive_semidefinite)
class PositiveSemidefinite:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        return SymmetricMatrix.check(value) & (paddle.linalg.eigvalsh(value) >= 0).all(-1)


@rule(torch.distributions.constraints.positive_definite)
class PositiveDefinite:
    is_discrete = False
    event_dim = 2

    @staticmethod
    def check(value):
        return SymmetricMatrix.check(value) & (paddle.linalg.eigvalsh(value) > 0).all(-1)
