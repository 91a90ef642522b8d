"""torch: inverses and solutions under their older names."""

from collections import namedtuple

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.linalg.decompositions import identity, matrix_product, turned
from rewriters.targets.oneflow.rules.linalg.solving import det, pseudoinverse, solution, solved_by_lu, triangle

TriangularSolve = namedtuple("TriangularSolve", ["solution", "cloned_coefficient"])


@rule(torch.logdet, torch.Tensor.logdet)
def logdet(input):
    return oneflow.log(det(input))


@rule(torch.pinverse, torch.Tensor.pinverse)
def pinverse(input, rcond=1e-15):
    return pseudoinverse(input, None, rcond)


@rule(torch.triangular_solve, torch.Tensor.triangular_solve)
def triangular_solve(input, A, upper=True, transpose=False, unitriangular=False):
    matrix = triangle(A, upper, unitriangular)
    found = solution(turned(matrix) if transpose else matrix, input)
    return TriangularSolve(found, A.expand(*found.shape[:-2], *A.shape[-2:]).clone())


def whole(factor, upper):
    """The matrix that a Cholesky factor is of."""
    # one half is looked at; the gradient has both
    half = factor - (oneflow.tril(factor, -1) if upper else oneflow.triu(factor, 1)).detach()
    return matrix_product(turned(half), half) if upper else matrix_product(half, turned(half))


@rule(torch.cholesky_solve, torch.Tensor.cholesky_solve)
def cholesky_solve(input, input2, upper=False):
    return solution(whole(input2, upper), input)


@rule(torch.cholesky_inverse, torch.Tensor.cholesky_inverse)
def cholesky_inverse(input, upper=False):
    return solution(whole(input, upper), identity(input, input.shape[-1]))


@rule(torch.lu_solve, torch.Tensor.lu_solve)
def lu_solve(input, LU_data, LU_pivots):
    return solved_by_lu(LU_data, LU_pivots, input, True, False)
