"""torch: inverses and solutions under their older names."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import rule
from rewriters.targets.paddle.rules.linalg.solving import together

TriangularSolve = namedtuple("TriangularSolve", ["solution", "cloned_coefficient"])


@rule(torch.logdet, torch.Tensor.logdet)
def logdet(input):
    return paddle.log(paddle.linalg.det(input))


@rule(torch.pinverse, torch.Tensor.pinverse)
def pinverse(input, rcond=1e-15):
    return paddle.linalg.pinv(input, rcond=rcond)


@rule(torch.triangular_solve, torch.Tensor.triangular_solve)
def triangular_solve(input, A, upper=True, transpose=False, unitriangular=False):
    matrix, right = together(A, input)
    solution = paddle.linalg.triangular_solve(
        matrix, right, upper=upper, transpose=transpose, unitriangular=unitriangular
    )
    return TriangularSolve(solution, paddle.expand(A, [*solution.shape[:-2], *A.shape[-2:]]))


@rule(torch.cholesky_solve, torch.Tensor.cholesky_solve)
def cholesky_solve(input, input2, upper=False):
    # the gradient of paddle.linalg.cholesky_solve is wrong
    whole = input2.mT @ input2 if upper else input2 @ input2.mT
    return paddle.linalg.solve(*together(whole, input))


@rule(torch.cholesky_inverse, torch.Tensor.cholesky_inverse)
def cholesky_inverse(L, upper=False):
    return paddle.linalg.inv(L.mT @ L if upper else L @ L.mT)
