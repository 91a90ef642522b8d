"""Determinants, inverses and solvers."""

import math
from collections import namedtuple

import numpy
import oneflow
import torch

from rewriters.rule import alias, becomes, rule
from rewriters.targets.oneflow.rules.linalg.decompositions import (
    Determinant,
    LogDeterminant,
    PseudoInverse,
    Solve,
    as_tensors,
    exchanged,
    identity,
    matrix_product,
    turned,
)
from rewriters.targets.oneflow.rules.linalg.factorizations import factorized, singular, told

becomes(torch.linalg.inv, oneflow.linalg.inv)

InvEx = namedtuple("InvEx", ["inverse", "info"])


SolveEx = namedtuple("SolveEx", ["result", "info"])


SignLog = namedtuple("SignLog", ["sign", "logabsdet"])


Lstsq = namedtuple("Lstsq", ["solution", "residuals", "rank", "singular_values"])


alias(torch.linalg.LinAlgError, "numpy.linalg.LinAlgError")


@rule(torch.linalg.det, torch.det, torch.Tensor.det)
def det(A):
    if 0 in A.shape:
        return oneflow.ones(A.shape[:-2], dtype=A.dtype, device=A.device) + oneflow.sum(A)
    return Determinant.apply(A)


@rule(torch.linalg.slogdet, torch.slogdet, torch.Tensor.slogdet)
def slogdet(A):
    if 0 in A.shape:
        nothing = oneflow.zeros(A.shape[:-2], dtype=A.dtype, device=A.device)
        return SignLog(nothing + 1, nothing + oneflow.sum(A))
    (sign,) = as_tensors([numpy.linalg.slogdet(A.detach().numpy())[0]], A)
    return SignLog(sign + oneflow.sum(A, [-2, -1]) * 0, LogDeterminant.apply(A))


def solution(A, B, left=True):
    """Of matrices or vectors, over all batches."""
    vectors = B.ndim == 1 or (B.ndim + 1 == A.ndim and B.shape == A.shape[:-1])
    right = B.unsqueeze(-1) if vectors else B
    if not left:
        A, right = turned(A), turned(right)
    batch = tuple(oneflow.broadcast_shapes(tuple(A.shape[:-2]), tuple(right.shape[:-2])))
    A, right = A.expand(*batch, *A.shape[-2:]), right.expand(*batch, *right.shape[-2:])
    found = right.clone() if 0 in A.shape or 0 in right.shape else Solve.apply(A, right)
    found = found if left else turned(found)
    return found.squeeze(-1) if vectors else found


@rule(torch.linalg.solve)
def solve(A, B, *, left=True):
    return solution(A, B, left)


@rule(torch.linalg.inv_ex)
def inv_ex(A, *, check_errors=False):
    if 0 in A.shape:
        return InvEx(A.clone(), oneflow.zeros(A.shape[:-2], dtype=oneflow.int32, device=A.device))
    info = told(factorized(A.detach())[0])
    if bool((info != 0).any().item()) if info.ndim else info.item() != 0:
        if check_errors:
            raise numpy.linalg.LinAlgError("linalg.inv: the input matrix is singular")
        return InvEx(oneflow.full_like(A, math.inf), info)
    return InvEx(solution(A, identity(A, A.shape[-1])), info)


@rule(torch.linalg.solve_ex)
def solve_ex(A, B, *, left=True, check_errors=False):
    return SolveEx(solution(A, B, left), told(factorized(A.detach())[0]))


def triangle(A, upper, unitriangular):
    """The part of a matrix that a triangular solver reads."""
    edge = 1 if unitriangular else 0
    found = oneflow.triu(A, edge) if upper else oneflow.tril(A, -edge)
    return found + identity(A, A.shape[-1]) if unitriangular else found


@rule(torch.linalg.solve_triangular)
def solve_triangular(input, B, *, upper, left=True, unitriangular=False):
    matrix = triangle(input, upper, unitriangular)
    # B is never a vector here
    if B.ndim + 1 == matrix.ndim:
        B = B.expand(*matrix.shape[:-2], *B.shape[-2:])
    return solution(matrix, B, left)


def pseudoinverse(A, absolute, relative):
    """By the singular values that count; a number, or one for each matrix."""
    if 0 in A.shape:
        return turned(A).clone()
    s = singular(A.detach(), False)[1]
    return PseudoInverse.apply(A, limit(A, s, absolute, relative))


def limit(A, s, absolute, relative):
    """What of singular values is taken for zero: torch's choice where none is given."""
    absolute = absolute.item() if isinstance(absolute, numpy.generic) else absolute
    if relative is None:
        given = absolute is not None and (not isinstance(absolute, oneflow.Tensor) or absolute.ndim == 0)
        least = oneflow.finfo(A.dtype).eps * max(A.shape[-2:])
        if absolute is None:
            relative = least
        elif given:
            relative = 0.0 if float(absolute) > 0 else least
        else:
            relative = oneflow.where(absolute > 0, oneflow.zeros_like(absolute), oneflow.full_like(absolute, least))
    found = of_each(relative) * oneflow.amax(s.detach(), [-1], True)
    if absolute is None:
        return found
    return oneflow.maximum(found, of_each(absolute) + oneflow.zeros_like(found))


def of_each(value):
    """A number for each matrix, as one for all its singular values."""
    return value.unsqueeze(-1) if isinstance(value, oneflow.Tensor) else value


@rule(torch.linalg.pinv)
def pinv(input, *, atol=None, rtol=None, hermitian=False):
    return pseudoinverse(hermitian_of(input) if hermitian else input, atol, rtol)


def hermitian_of(A):
    """The symmetric matrix that the lower half says."""
    lower = oneflow.tril(A, -1)
    return oneflow.tril(A) + turned(lower)


@rule(torch.linalg.matrix_rank)
def matrix_rank(input, tol=None, hermitian=False):
    return rank(input, tol, 0.0 if tol is not None else None, hermitian)


@rule(torch.linalg.matrix_rank)
def matrix_rank(input, *, atol=None, rtol=None, hermitian=False):
    return rank(input, atol, rtol, hermitian)


def rank(A, absolute, relative, hermitian):
    """How many singular values count."""
    if 0 in A.shape:
        return oneflow.zeros(A.shape[:-2], dtype=oneflow.int64, device=A.device)
    s = singular(hermitian_of(A.detach()) if hermitian else A.detach(), False)[1]
    return oneflow.sum((s > limit(A, s, absolute, relative)).to(oneflow.int64), -1)


@rule(torch.linalg.lstsq)
def lstsq(input, b, rcond=None, *, driver=None):
    vectors = b.ndim == 1 or (b.ndim + 1 == input.ndim and b.shape == input.shape[:-1])
    right = b.unsqueeze(-1) if vectors else b
    found = matrix_product(pseudoinverse(input, None, rcond), right)
    rows, columns = input.shape[-2:]
    nothing = oneflow.zeros(0, dtype=input.dtype, device=input.device)
    if 0 in input.shape or 0 in b.shape:
        return Lstsq(found.squeeze(-1) if vectors else found, nothing, rank(input, None, rcond, False), nothing.clone())
    ranks = rank(input, None, rcond, False)
    # what else there is depends on which of LAPACK's drivers torch takes
    whole = driver == "gels" or (driver in ("gelsd", "gelss") and bool((ranks.numpy() == columns).all()))
    error = oneflow.matmul(input, found) - right
    error = oneflow.sum(error * error, -2)
    residuals = error if whole and rows > columns else nothing + oneflow.sum(error)
    values = singular(input.detach(), False)[1] if driver in ("gelsd", "gelss") else nothing.clone()
    told_rank = ranks if driver != "gels" else oneflow.zeros(0, dtype=oneflow.int64, device=input.device)
    return Lstsq(found.squeeze(-1) if vectors else found, residuals, told_rank, values)


@rule(torch.linalg.tensorinv)
def tensorinv(input, ind=2):
    rows = math.prod(input.shape[:ind])
    found = solution(input.reshape(rows, -1), identity(input.reshape(rows, -1), rows))
    return found.reshape(*input.shape[ind:], *input.shape[:ind])


@rule(torch.linalg.tensorsolve)
def tensorsolve(input, other, dims=None):
    if dims is not None:
        gone = [axis % input.ndim for axis in dims]
        input = input.permute(*[axis for axis in range(input.ndim) if axis not in gone], *gone)
    if 0 in input.shape:
        empty = oneflow.zeros(tuple(input.shape[other.ndim :]), dtype=other.dtype, device=other.device)
        return empty + oneflow.sum(input)
    found = solution(input.reshape(other.numel(), -1), other.reshape(-1))
    return found.reshape(tuple(input.shape[other.ndim :]))


def solved_by_lu(LU, pivots, B, left, adjoint):
    """AX = B, or XA = B, for the matrix that was factorized."""
    if not left:
        return turned(solved_by_lu(LU, pivots, turned(B), True, not adjoint))
    size = LU.shape[-1]
    if 0 in LU.shape or 0 in B.shape:
        batch = tuple(oneflow.broadcast_shapes(tuple(LU.shape[:-2]), tuple(B.shape[:-2])))
        return B.expand(*batch, *B.shape[-2:]).clone()
    lower = oneflow.tril(LU, -1) + identity(LU, size)
    matrix = matrix_product(exchanged(pivots, size, LU), matrix_product(lower, oneflow.triu(LU)))
    matrix = turned(matrix) if adjoint else matrix
    if B.ndim + 1 == matrix.ndim:
        B = B.expand(*matrix.shape[:-2], *B.shape[-2:])
    return solution(matrix, B)


@rule(torch.linalg.lu_solve)
def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    return solved_by_lu(LU, pivots, B, left, adjoint)


@rule(torch.linalg.matrix_exp, torch.matrix_exp, torch.Tensor.matrix_exp)
def matrix_exp(input):
    """By its series, of a matrix halved until it is small, and squared as often."""
    if 0 in input.shape:
        return input.clone()
    size = oneflow.amax(oneflow.sum(oneflow.abs(input.detach()), -1)).item()
    times = max(0, math.ceil(math.log2(size)) - 1) if 0 < size < math.inf else 0
    small = input.double() / 2.0**times
    found = term = identity(small, input.shape[-1])
    for n in range(1, 26):
        term = oneflow.matmul(term, small) / n
        found = found + term
    for _ in range(times):
        found = oneflow.matmul(found, found)
    return found.to(input.dtype)
