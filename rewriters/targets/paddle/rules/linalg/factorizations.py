"""Factorizations and eigenvalues of matrices: torch.linalg and its older names."""

import functools
from collections import namedtuple

import paddle
import torch

from rewriters.rule import Rank, becomes, rule
from rewriters.shared.rules.linalg.factorizations import as_far_as_positive

becomes(torch.linalg.cholesky, torch.cholesky, torch.Tensor.cholesky, paddle.linalg.cholesky)

Eig = namedtuple("Eig", ["eigenvalues", "eigenvectors"])


Svd = namedtuple("Svd", ["U", "S", "Vh"])


Qr = namedtuple("Qr", ["Q", "R"])


Lu = namedtuple("Lu", ["P", "L", "U"])


LuFactor = namedtuple("LuFactor", ["LU", "pivots"])


LuFactorEx = namedtuple("LuFactorEx", ["LU", "pivots", "info"])


CholeskyEx = namedtuple("CholeskyEx", ["L", "info"])


@rule(torch.linalg.cholesky_ex)
def cholesky_ex(input, *, upper=False, check_errors=False):
    try:
        factor = paddle.linalg.cholesky(input, upper=upper)
    except ValueError:  # one of the matrices is not positive definite: the others have their factor
        if check_errors:
            raise
        rows = input.shape[-2:]
        found = [cholesky_of_one(one, upper) for one in input.reshape([-1, *rows])]
        factor = paddle.stack([one for one, _ in found]).reshape(input.shape)
        info = paddle.to_tensor([row for _, row in found], dtype="int32", place=input.place)
        return CholeskyEx(factor, info.reshape(input.shape[:-2]))
    return CholeskyEx(factor, paddle.zeros(input.shape[:-2], dtype="int32"))


def cholesky_of_one(matrix, upper):
    lower = paddle.conj(matrix.mT) if upper else matrix
    factor, row = as_far_as_positive(lower.detach().numpy())
    if not row:
        return paddle.linalg.cholesky(matrix, upper=upper), row
    factor = paddle.to_tensor(factor, place=matrix.place)
    return paddle.conj(factor.mT) if upper else factor, row


def with_slopes(A, values, vectors, inverse):
    """The eigenvalues with their own gradient: that of Paddle's is wrong in batches.

    inverse: of the vectors.
    """
    change = (A - A.detach()).astype(vectors.dtype)  # 0, and gradients come this way
    moved = (inverse @ change @ vectors.detach()).diagonal(axis1=-2, axis2=-1)
    return values.detach() + (moved if values.is_complex() or not moved.is_complex() else moved.real())


@rule(torch.linalg.eigh)
def eigh(input, UPLO="L"):
    values, vectors = paddle.linalg.eigh(input, UPLO=UPLO)
    if input.ndim > 2 and not input.stop_gradient and input.size:
        values = with_slopes(input, values, vectors, paddle.conj(vectors.detach().mT))
    return Eig(values, vectors)


@rule(torch.linalg.eigvalsh)
def eigvalsh(input: Rank[2], UPLO="L"):
    # the gradient of UPLO="U" is wrong
    return paddle.linalg.eigvalsh(input if UPLO == "L" else paddle.conj(input.mT))


@rule(torch.linalg.eigvalsh)
def eigvalsh(input, UPLO="L"):
    return eigh(input, UPLO).eigenvalues


@rule(torch.linalg.eig)
def eig(input):
    values, vectors = paddle.linalg.eig(input)
    if input.ndim > 2 and not input.stop_gradient and input.size:
        values = with_slopes(input, values, vectors, paddle.linalg.inv(vectors.detach()))
    return Eig(values, vectors)


@rule(torch.linalg.eigvals)
def eigvals(input: Rank[2]):
    return paddle.linalg.eig(input)[0]  # paddle.linalg.eigvals has no gradient


@rule(torch.linalg.eigvals)
def eigvals(input):
    return eig(input).eigenvalues


def factors(A, full_matrices):
    """U, S and Vh; Paddle leaves those of an empty matrix as the memory was."""
    if A.size:
        return paddle.linalg.svd(A, full_matrices=full_matrices)
    *batch, rows, columns = A.shape
    few = min(rows, columns)
    reached = A.sum().real() if A.is_complex() else A.sum()  # 0, and gradients come this way
    u = paddle.eye(rows, rows if full_matrices else few, dtype=A.dtype) + A.sum()
    vh = paddle.eye(columns if full_matrices else few, columns, dtype=A.dtype) + A.sum()
    return (
        u.expand([*batch, *u.shape]),
        paddle.zeros([*batch, few], dtype=reached.dtype) + reached,
        vh.expand([*batch, *vh.shape]),
    )


@rule(torch.linalg.svd)
def svd(A, full_matrices=True, *, driver=None):
    return Svd(*factors(A, full_matrices))


@rule(torch.linalg.svdvals)
def svdvals(A, *, driver=None):
    # the gradient of paddle.linalg.svdvals wants a square matrix
    return paddle.linalg.svd(A)[1]


def tied(one, other):
    """Both with a gradient where one has: Paddle ends the process when only one of them is differentiated."""
    if one.stop_gradient:
        return one, other
    nothing = (one.sum() + other.sum()) * 0
    return one + nothing, other + nothing


def orthogonal(A, mode):
    """Q and R; those of an empty matrix have no gradient in Paddle."""
    if A.size:
        return tied(*paddle.linalg.qr(A, mode=mode))
    *batch, rows, columns = A.shape
    many = rows if mode == "complete" else min(rows, columns)
    reached = A.sum()  # 0, and gradients come this way
    q = paddle.expand(paddle.eye(rows, many, dtype=A.dtype), [*batch, rows, many])
    return q + reached, paddle.zeros([*batch, many, columns], dtype=A.dtype) + reached


@rule(torch.linalg.qr)
def qr(A, mode="reduced"):
    if mode == "r":
        return Qr(paddle.empty([0], dtype=A.dtype), paddle.linalg.qr(A, mode="r"))
    return Qr(*orthogonal(A, mode))


@rule(torch.linalg.lu)
def lu(A, *, pivot=True):
    if not pivot:
        raise NotImplementedError("paddle.linalg.lu_unpack is of pivots; pass pivot=True")
    permutation, lower, upper = paddle.linalg.lu_unpack(*paddle.linalg.lu(A))
    return Lu(permutation, *tied(lower, upper))


@rule(torch.linalg.lu_factor)
def lu_factor(A, *, pivot=True):
    return LuFactor(*paddle.linalg.lu(A, pivot=pivot))


@rule(torch.linalg.lu_factor_ex)
def lu_factor_ex(A, *, pivot=True, check_errors=False):
    return LuFactorEx(*paddle.linalg.lu(A, pivot=pivot, get_infos=True))


@rule(torch.linalg.householder_product)
def householder_product(input, tau):
    if input.stop_gradient and tau.stop_gradient and input.size:
        return paddle.linalg.householder_product(input.clone(), tau)  # it writes into its argument
    # Paddle's gradient fails: one reflection after the other
    start = paddle.eye(*input.shape[-2:], dtype=input.dtype)
    vectors, product = paddle.tril(input, -1) + start, paddle.expand(start, input.shape)
    for k in reversed(range(tau.shape[-1])):
        vector = vectors[..., k : k + 1]
        turned = (paddle.conj(vector) if input.is_complex() else vector).mT @ product
        product = product - tau[..., k : k + 1].unsqueeze(-1) * (vector @ turned)
    return product


def solved_by_lu(LU, pivots, B, left, adjoint):
    """AX = B, or XA = B, for the matrix that was factorized."""
    if not left:
        # (XA)^H = A^H X^H
        return solved_by_lu(LU, pivots, B.mT.conj(), True, not adjoint).mT.conj()
    batch = functools.reduce(paddle.broadcast_shape, [LU.shape[:-2], B.shape[:-2]]) if LU.ndim + B.ndim > 4 else []
    size = LU.shape[-1]
    LU, B = LU.expand([*batch, size, size]), B.expand([*batch, *B.shape[-2:]])
    if not B.size or not LU.size:
        return paddle.zeros_like(B)
    with paddle.no_grad():
        swaps = paddle.linalg.lu_unpack(LU.detach(), pivots.expand([*batch, size]), unpack_ludata=False)[0]
    # triangular systems have gradients of stray memory in Paddle: the whole matrix is solved with
    matrix = swaps @ (paddle.tril(LU, -1) + paddle.eye(size, dtype=LU.dtype)) @ paddle.triu(LU)
    matrix = matrix.mT.conj() if adjoint else matrix
    # where only one wants a gradient, Paddle's solve ends the process or gives a wrong one
    if matrix.stop_gradient and not B.stop_gradient:
        matrix = matrix + (B * 0).sum()
    elif B.stop_gradient and not matrix.stop_gradient:
        B = B + (matrix * 0).sum()
    return paddle.linalg.solve(matrix, B)


@rule(torch.linalg.lu_solve)
def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    return solved_by_lu(LU, pivots, B, left, adjoint)
