"""Decompositions, solvers and norms: torch.linalg and its older names."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import alias, refuse, rule

Eig = namedtuple("Eig", ["eigenvalues", "eigenvectors"])
Svd = namedtuple("Svd", ["U", "S", "Vh"])
Qr = namedtuple("Qr", ["Q", "R"])
Lu = namedtuple("Lu", ["P", "L", "U"])
LuFactor = namedtuple("LuFactor", ["LU", "pivots"])
LuFactorEx = namedtuple("LuFactorEx", ["LU", "pivots", "info"])
InvEx = namedtuple("InvEx", ["inverse", "info"])
CholeskyEx = namedtuple("CholeskyEx", ["L", "info"])
SolveEx = namedtuple("SolveEx", ["result", "info"])
Lstsq = namedtuple("Lstsq", ["solution", "residuals", "rank", "singular_values"])
TriangularSolve = namedtuple("TriangularSolve", ["solution", "cloned_coefficient"])
OldSvd = namedtuple("OldSvd", ["U", "S", "V"])

refuse(
    torch.linalg.ldl_factor,
    torch.linalg.ldl_factor_ex,
    torch.linalg.ldl_solve,
    "Paddle has no LDL factorization; use paddle.linalg.lu, or paddle.linalg.cholesky for positive definite matrices",
)
refuse(
    torch.linalg.lu_solve,
    torch.lu_solve,
    torch.Tensor.lu_solve,
    "the gradient of paddle.linalg.lu_solve is wrong, and it takes no empty matrices; use paddle.linalg.solve(A, B)",
)
refuse(torch.lobpcg, "Paddle has no lobpcg; use paddle.linalg.eigh")
refuse(
    torch.ormqr,
    torch.Tensor.ormqr,
    "paddle.linalg.ormqr takes square matrices alone, without a gradient; use paddle.linalg.householder_product",
)
refuse(
    torch.geqrf,
    torch.Tensor.geqrf,
    "Paddle gives no Householder reflectors; use paddle.linalg.qr",
)
refuse(
    torch.symeig,
    torch.Tensor.symeig,
    torch.eig,
    torch.Tensor.eig,
    torch.lstsq,
    torch.Tensor.lstsq,
    torch.solve,
    torch.Tensor.solve,
    torch.matrix_rank,
    "torch itself has removed it; use torch.linalg's",
)
alias(torch.linalg.LinAlgError, "ValueError")


@rule(torch.linalg.det, torch.det, torch.Tensor.det)
def det(input):
    return paddle.linalg.det(input)


@rule(torch.linalg.slogdet, torch.slogdet, torch.Tensor.slogdet)
def slogdet(input):
    return paddle.compat.slogdet(input)


@rule(torch.logdet, torch.Tensor.logdet)
def logdet(input):
    return paddle.log(paddle.linalg.det(input))


@rule(torch.linalg.inv, torch.inverse, torch.Tensor.inverse)
def inv(input):
    return paddle.linalg.inv(input)


@rule(torch.linalg.inv_ex)
def inv_ex(A, *, check_errors=False):
    return InvEx(paddle.linalg.inv(A), paddle.zeros(A.shape[:-2], dtype="int32"))


@rule(torch.linalg.pinv)
def pinv(input, *, atol=None, rtol=None, hermitian=False):
    if atol is not None:
        raise NotImplementedError("paddle.linalg.pinv has no absolute tolerance; pass rtol")
    # the gradient of a hermitian paddle.linalg.pinv is wrong, the general one's is right
    return paddle.linalg.pinv(input, rcond=1e-15 if rtol is None else rtol)


@rule(torch.pinverse, torch.Tensor.pinverse)
def pinverse(input, rcond=1e-15):
    return paddle.linalg.pinv(input, rcond=rcond)


def followed(tensor, other):
    """The tensor as one whose gradient is asked for where the other's is: else Paddle's solvers hand the other a wrong
    one, or end the process.
    """
    return tensor if other.stop_gradient else tensor + (other * 0).sum()


@rule(torch.linalg.solve)
def solve(A, B, *, left=True):
    return paddle.linalg.solve(A, followed(B, A), left=left)


@rule(torch.linalg.solve_ex)
def solve_ex(A, B, *, left=True, check_errors=False):
    return SolveEx(paddle.linalg.solve(A, followed(B, A), left=left), paddle.zeros(A.shape[:-2], dtype="int32"))


@rule(torch.linalg.solve_triangular)
def solve_triangular(input, B, *, upper, left=True, unitriangular=False):
    B = followed(B, input)
    if left:
        return paddle.linalg.triangular_solve(input, B, upper=upper, unitriangular=unitriangular)
    return paddle.linalg.triangular_solve(input.mT, B.mT, upper=not upper, unitriangular=unitriangular).mT


@rule(torch.triangular_solve, torch.Tensor.triangular_solve)
def triangular_solve(input, A, upper=True, transpose=False, unitriangular=False):
    solution = paddle.linalg.triangular_solve(
        A, followed(input, A), upper=upper, transpose=transpose, unitriangular=unitriangular
    )
    return TriangularSolve(solution, paddle.expand(A, [*solution.shape[:-2], *A.shape[-2:]]))


@rule(torch.linalg.lstsq)
def lstsq(input, b, rcond=None, *, driver=None):
    solution, residuals, rank, singular_values = paddle.linalg.lstsq(input, b, rcond=rcond, driver=driver)
    if not (input.stop_gradient and b.stop_gradient):
        solution = paddle.linalg.pinv(input) @ b  # paddle.linalg.lstsq has no gradient
    return Lstsq(solution, residuals, rank.astype("int64"), singular_values)


@rule(torch.linalg.cholesky, torch.cholesky, torch.Tensor.cholesky)
def cholesky(input, upper=False):
    return paddle.linalg.cholesky(input, upper=upper)


@rule(torch.linalg.cholesky_ex)
def cholesky_ex(input, *, upper=False, check_errors=False):
    return CholeskyEx(paddle.linalg.cholesky(input, upper=upper), paddle.zeros(input.shape[:-2], dtype="int32"))


@rule(torch.cholesky_solve, torch.Tensor.cholesky_solve)
def cholesky_solve(B, L, upper=False):
    # the gradient of paddle.linalg.cholesky_solve is wrong
    whole = L.mT @ L if upper else L @ L.mT
    return paddle.linalg.solve(whole, followed(B, whole))


@rule(torch.cholesky_inverse, torch.Tensor.cholesky_inverse)
def cholesky_inverse(L, upper=False):
    return paddle.linalg.inv(L.mT @ L if upper else L @ L.mT)


@rule(torch.linalg.eigh)
def eigh(input, UPLO="L"):
    return Eig(*paddle.linalg.eigh(input, UPLO=UPLO))


@rule(torch.linalg.eigvalsh)
def eigvalsh(input, UPLO="L"):
    # the gradient of UPLO="U" is wrong
    return paddle.linalg.eigvalsh(input if UPLO == "L" else paddle.conj(input.mT))


@rule(torch.linalg.eig)
def eig(input):
    return Eig(*paddle.linalg.eig(input))


@rule(torch.linalg.eigvals)
def eigvals(input):
    return paddle.linalg.eigvals(input)


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


@rule(torch.svd, torch.Tensor.svd)
def old_svd(input, some=True, compute_uv=True):
    u, s, vh = factors(input, not some)
    v = paddle.conj(vh).mT if vh.is_complex() else vh.mT
    if not compute_uv:
        u, v = paddle.zeros_like(u), paddle.zeros_like(v)
    return OldSvd(u, s, v)


@rule(torch.linalg.svdvals)
def svdvals(A, *, driver=None):
    # the gradient of paddle.linalg.svdvals wants a square matrix
    return paddle.linalg.svd(A)[1]


@rule(torch.svd_lowrank)
def svd_lowrank(A, q=6, niter=2, M=None):
    return OldSvd(*paddle.linalg.svd_lowrank(A, q=q, niter=niter, M=M))


@rule(torch.pca_lowrank)
def pca_lowrank(A, q=None, center=True, niter=2):
    return paddle.linalg.pca_lowrank(A, q=q, center=center, niter=niter)


@rule(torch.linalg.qr)
def qr(A, mode="reduced"):
    if mode == "r":
        r = paddle.linalg.qr(A, mode="r")
        return Qr(paddle.empty([0], dtype=A.dtype), r)
    return Qr(*paddle.linalg.qr(A, mode=mode))


@rule(torch.qr, torch.Tensor.qr)
def old_qr(input, some=True):
    return Qr(*paddle.linalg.qr(input, mode="reduced" if some else "complete"))


@rule(torch.linalg.lu)
def lu(A, *, pivot=True):
    factors, pivots = paddle.linalg.lu(A)
    return Lu(*paddle.linalg.lu_unpack(factors, pivots))


@rule(torch.linalg.lu_factor)
def lu_factor(A, *, pivot=True):
    return LuFactor(*paddle.linalg.lu(A, pivot=pivot))


@rule(torch.linalg.lu_factor_ex)
def lu_factor_ex(A, *, pivot=True, check_errors=False):
    return LuFactorEx(*paddle.linalg.lu(A, pivot=pivot, get_infos=True))


@rule(torch.lu, torch.Tensor.lu)
def old_lu(A, pivot=True, get_infos=False):
    if get_infos:
        return LuFactorEx(*paddle.linalg.lu(A, pivot=pivot, get_infos=True))
    return LuFactor(*paddle.linalg.lu(A, pivot=pivot))


@rule(torch.lu_unpack)
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    return Lu(*paddle.linalg.lu_unpack(LU_data, LU_pivots, unpack_ludata=unpack_data, unpack_pivots=unpack_pivots))


@rule(torch.linalg.householder_product, torch.orgqr, torch.Tensor.orgqr)
def householder_product(A, tau):
    return paddle.linalg.householder_product(A, tau)


@rule(torch.linalg.tensorinv)
def tensorinv(input, ind=2):
    rows = input.shape[:ind].numel()
    return paddle.linalg.inv(input.reshape([rows, -1])).reshape([*input.shape[ind:], *input.shape[:ind]])


@rule(torch.linalg.tensorsolve)
def tensorsolve(input, other, dims=None):
    if dims is not None:
        input = paddle.moveaxis(input, dims, list(range(input.ndim - len(dims), input.ndim)))
    solution = paddle.linalg.solve(input.reshape([other.size, -1]), other.flatten().unsqueeze(-1))
    return solution.reshape(input.shape[other.ndim :])
