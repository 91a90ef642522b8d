"""torch: inverses and solutions under their older names."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import becomes, rule
from rewriters.targets.paddle.rules.linalg.solving import together

becomes(torch.pinverse, torch.Tensor.pinverse, paddle.linalg.pinv)

TriangularSolve = namedtuple("TriangularSolve", ["solution", "cloned_coefficient"])


@rule(torch.logdet, torch.Tensor.logdet)
def logdet(input):
    return paddle.log(paddle.linalg.det(input))


@rule(torch.triangular_solve, torch.Tensor.triangular_solve)
def triangular_solve(input, A, upper=True, transpose=False, unitriangular=False):
    matrix, right = together(A, input)
    solution = paddle.linalg.triangular_solve(
        matrix, right, upper=upper, transpose=transpose, unitriangular=unitriangular
    )
    return TriangularSolve(solution, paddle.expand(A, [*solution.shape[:-2], *A.shape[-2:]]))


def half_of(factor, upper):
    """The half that torch looks at; its gradient has both."""
    return factor - (paddle.tril(factor, -1) if upper else paddle.triu(factor, 1)).detach()


@rule(torch.cholesky_solve, torch.Tensor.cholesky_solve)
def cholesky_solve(input, input2, upper=False):
    # the gradient of paddle.linalg.cholesky_solve is wrong
    factor = half_of(input2, upper)
    whole = factor.mT @ factor if upper else factor @ factor.mT
    return paddle.linalg.solve(*together(whole, input))


@rule(torch.cholesky_inverse, torch.Tensor.cholesky_inverse)
def cholesky_inverse(L, upper=False):
    factor = half_of(L, upper)
    return paddle.linalg.inv(factor.mT @ factor if upper else factor @ factor.mT)
