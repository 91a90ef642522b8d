"""torch.linalg: factorizations, solving, properties of matrices."""

from collections import namedtuple

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import becomes, rule

becomes(torch.linalg.tensorinv, jnp.linalg.tensorinv, ind="/")
becomes(torch.linalg.eigvals, jnp.linalg.eigvals)
becomes(torch.linalg.matrix_power, torch.matrix_power, torch.Tensor.matrix_power, jnp.linalg.matrix_power)

QR = namedtuple("QR", ["Q", "R"])
Eigen = namedtuple("Eigen", ["eigenvalues", "eigenvectors"])
Singular = namedtuple("Singular", ["U", "S", "Vh"])
OldSingular = namedtuple("OldSingular", ["U", "S", "V"])
Determinant = namedtuple("Determinant", ["sign", "logabsdet"])
Solution = namedtuple("Solution", ["solution", "residuals", "rank", "singular_values"])
Inverse = namedtuple("Inverse", ["inverse", "info"])
Solved = namedtuple("Solved", ["result", "info"])
Factor = namedtuple("Factor", ["L", "info"])
LU = namedtuple("LU", ["P", "L", "U"])
LUFactors = namedtuple("LUFactors", ["LU", "pivots"])
LUFactorsInfo = namedtuple("LUFactorsInfo", ["LU", "pivots", "info"])
Reflectors = namedtuple("Reflectors", ["a", "tau"])
Triangular = namedtuple("Triangular", ["solution", "cloned_coefficient"])


@rule(torch.linalg.cholesky)
def cholesky(input, *, upper=False):
    return cholesky_of(input, upper)


def cholesky_of(x, upper):
    found = jnp.linalg.cholesky(hermitian_of(x, "U" if upper else "L"))
    return found.mT.conj() if upper else found


def hermitian_of(x, triangle):
    """Of the one triangle that torch reads; its gradient is that of both."""
    turned = jnp.triu(x) if triangle == "U" else jnp.tril(x)
    read = turned + (jnp.triu(turned, 1) if triangle == "U" else jnp.tril(turned, -1)).mT.conj()
    both = (x + x.mT.conj()) / 2
    return both + jax.lax.stop_gradient(read - both)


@rule(torch.linalg.cholesky_ex)
def cholesky_ex(input, *, upper=False, check_errors=False):
    return Factor(cholesky_of(input, upper), jnp.zeros(input.shape[:-2], jnp.int32))


def solved_by_cholesky(lower, b):
    lead = jnp.broadcast_shapes(lower.shape[:-2], b.shape[:-2])
    lower, b = (jnp.broadcast_to(x, (*lead, *x.shape[-2:])) for x in (lower, b))
    half = jax.lax.linalg.triangular_solve(lower, b, left_side=True, lower=True)
    return jax.lax.linalg.triangular_solve(lower, half, left_side=True, lower=True, transpose_a=True, conjugate_a=True)


@rule(torch.linalg.inv, torch.inverse, torch.Tensor.inverse)
def inv(input):
    return jnp.linalg.inv(input)


@rule(torch.linalg.inv_ex)
def inv_ex(input, *, check_errors=False):
    return Inverse(jnp.linalg.inv(input), jnp.zeros(input.shape[:-2], jnp.int32))


@rule(torch.linalg.det, torch.det, torch.Tensor.det)
def det(input):
    return jnp.linalg.det(input)


@rule(torch.linalg.slogdet, torch.slogdet, torch.Tensor.slogdet)
def slogdet(input):
    return Determinant(*jnp.linalg.slogdet(input))


@rule(torch.linalg.qr)
def qr(input, mode="reduced"):
    if mode == "r":
        return QR(jnp.zeros((0,), input.dtype), jnp.linalg.qr(input, mode="r"))
    return QR(*jnp.linalg.qr(input, mode=mode))


@rule(torch.linalg.svd)
def svd(input, full_matrices=True, *, driver=None):
    return Singular(*jnp.linalg.svd(input, full_matrices=full_matrices))


@rule(torch.linalg.svdvals)
def svdvals(input, *, driver=None):
    return jnp.linalg.svdvals(input)


@rule(torch.linalg.eigh)
def eigh(input, UPLO="L"):
    return Eigen(*jnp.linalg.eigh(hermitian_of(input, UPLO)))


@rule(torch.linalg.eigvalsh)
def eigvalsh(input, UPLO="L"):
    return jnp.linalg.eigvalsh(hermitian_of(input, UPLO))


@rule(torch.linalg.eig)
def eig(input):
    return Eigen(*jnp.linalg.eig(input))


@rule(torch.linalg.matrix_exp, torch.matrix_exp, torch.Tensor.matrix_exp)
def matrix_exp(input):
    return jax.scipy.linalg.expm(input, max_squarings=64)


@rule(torch.linalg.matrix_rank)
def matrix_rank(input, tol=None, *, atol=None, rtol=None, hermitian=False):
    return rank_of(input, tol, atol, rtol, hermitian)


@rule(torch.linalg.matrix_rank)
def matrix_rank(input, *, atol=None, rtol=None, hermitian=False):
    return rank_of(input, None, atol, rtol, hermitian)


def rank_of(A, tol, atol, rtol, hermitian):
    values = jnp.abs(jnp.linalg.eigvalsh(hermitian_of(A, "L"))) if hermitian else jnp.linalg.svdvals(A)
    largest = values.max(-1, keepdims=True, initial=0)
    atol = tol if tol is not None else atol
    if rtol is None:
        rtol = max(A.shape[-2:]) * jnp.finfo(A.dtype).eps if atol is None else 0
    absolute = jnp.asarray(0 if atol is None else atol)[..., None]
    bound = jnp.maximum(absolute, jnp.asarray(rtol)[..., None] * largest)
    return (values > bound).sum(-1)


@rule(torch.linalg.pinv)
def pinv(input, *, atol=None, rtol=None, hermitian=False):
    return pinv_of(input, atol, rtol, hermitian)


@rule(torch.linalg.pinv)
def pinv(input, rcond, hermitian=False):
    return pinv_of(input, None, rcond, hermitian)


def pinv_of(A, atol, rtol, hermitian):
    A = hermitian_of(A, "L") if hermitian else A
    if atol is None:
        rtol = max(A.shape[-2:]) * jnp.finfo(A.dtype).eps if rtol is None else rtol
        return jnp.linalg.pinv(A, rtol=rtol, hermitian=hermitian)
    u, s, vh = jnp.linalg.svd(A, full_matrices=False)
    largest = s.max(-1, keepdims=True, initial=0)
    bound = jnp.maximum(jnp.asarray(atol)[..., None], jnp.asarray(0 if rtol is None else rtol)[..., None] * largest)
    turned = jnp.where(s > bound, 1 / jnp.where(s > bound, s, 1), 0)
    return (vh.mT.conj() * turned[..., None, :].astype(A.dtype)) @ u.mT.conj()


def columns_of(A, B):
    """Whether B is a batch of vectors, and A with the batch of both."""
    return B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])


def solution_of(A, B, left):
    if columns_of(A, B):
        return jnp.linalg.solve(A, B[..., None])[..., 0]
    return jnp.linalg.solve(A, B) if left else jnp.linalg.solve(A.mT, B.mT).mT


@rule(torch.linalg.solve)
def solve(input, B, *, left=True):
    return solution_of(input, B, left)


@rule(torch.linalg.solve_ex)
def solve_ex(input, B, *, left=True, check_errors=False):
    return Solved(solution_of(input, B, left), jnp.zeros(input.shape[:-2], jnp.int32))


def triangular_of(A, B, upper, left, unit):
    lead = jnp.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    A, B = (jnp.broadcast_to(x, (*lead, *x.shape[-2:])) for x in (A, B))
    return jax.lax.linalg.triangular_solve(A, B, left_side=left, lower=not upper, unit_diagonal=unit)


@rule(torch.linalg.solve_triangular)
def solve_triangular(input, B, *, upper, left=True, unitriangular=False):
    return triangular_of(input, B, upper, left, unitriangular)


@rule(torch.linalg.lstsq)
def lstsq(input, b, rcond=None, *, driver=None):
    columns = b[..., None] if columns_of(input, b) else b
    found = pinv_of(input, None, rcond, False) @ columns
    none = jnp.zeros((0,), input.real.dtype)
    # what torch's driver for CPUs gives of these, "gelsy" where none is named
    rank = jnp.zeros((0,), jnp.int64) if driver == "gels" else rank_of(input, None, None, rcond, False)
    full = driver == "gels" or (driver in ("gelss", "gelsd") and bool((rank == input.shape[-1]).all()))
    rest = jnp.sum(jnp.abs(input @ found - columns) ** 2, -2) if full and input.shape[-2] > input.shape[-1] else none
    values = jnp.linalg.svdvals(input) if driver in ("gelss", "gelsd") else none
    return Solution(found[..., 0] if columns_of(input, b) else found, rest, rank, values)


def triangles_of(packed):
    """L, with ones on its diagonal, and U of what holds both."""
    rows, columns = packed.shape[-2:]
    least = min(rows, columns)
    lower = jnp.tril(packed[..., :least], -1) + jnp.eye(rows, least, dtype=packed.dtype)
    return lower, jnp.triu(packed[..., :least, :])


def permutation_of(pivots, packed):
    """The matrix P of torch's pivots, which count from 1."""
    order = jax.lax.linalg.lu_pivots_to_permutation(pivots.astype(jnp.int32) - 1, packed.shape[-2])
    return jnp.swapaxes(jax.nn.one_hot(order, packed.shape[-2], dtype=packed.dtype), -2, -1)


def solved_by_lu(packed, pivots, b, left=True, adjoint=False):
    lower, upper = triangles_of(packed)
    whole = permutation_of(pivots, packed) @ lower @ upper
    whole = whole.mT.conj() if adjoint else whole
    lead = jnp.broadcast_shapes(whole.shape[:-2], b.shape[:-2])
    whole, b = (jnp.broadcast_to(x, (*lead, *x.shape[-2:])) for x in (whole, b))
    return jnp.linalg.solve(whole, b) if left else jnp.linalg.solve(whole.mT, b.mT).mT


@rule(torch.linalg.lu_solve)
def lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    return solved_by_lu(LU, pivots, B, left, adjoint)


@rule(torch.linalg.lu)
def lu(input, *, pivot=True):
    if not pivot:
        raise NotImplementedError("JAX has factors with pivots alone; pass pivot=True")
    packed, pivots, _ = jax.lax.linalg.lu(input)
    return LU(permutation_of(pivots + 1, packed), *triangles_of(packed))


@rule(torch.linalg.lu_factor)
def lu_factor(input, *, pivot=True):
    if not pivot:
        raise NotImplementedError("JAX has factors with pivots alone; pass pivot=True")
    packed, pivots, _ = jax.lax.linalg.lu(input)
    return LUFactors(packed, pivots + 1)


@rule(torch.linalg.lu_factor_ex)
def lu_factor_ex(input, *, pivot=True, check_errors=False):
    if not pivot:
        raise NotImplementedError("JAX has factors with pivots alone; pass pivot=True")
    packed, pivots, _ = jax.lax.linalg.lu(input)
    return LUFactorsInfo(packed, pivots + 1, jnp.zeros(input.shape[:-2], jnp.int32))


@rule(torch.linalg.cond)
def cond(input, p=None):
    if p is None or p == 2:
        values = jnp.linalg.svdvals(input)
        return values[..., 0] / values[..., -1]
    if p == -2:
        values = jnp.linalg.svdvals(input)
        return values[..., -1] / values[..., 0]
    both = (jnp.linalg.norm(matrix, ord=p, axis=(-2, -1)) for matrix in (input, jnp.linalg.inv(input)))
    return next(both) * next(both)


@rule(torch.linalg.tensorsolve)
def tensorsolve(input, other, dims=None):
    axes = () if dims is None else tuple(dims)
    moved = jnp.moveaxis(input, axes, range(input.ndim - len(axes), input.ndim))
    return jnp.linalg.solve(moved.reshape(other.size, -1), other.reshape(-1)).reshape(moved.shape[other.ndim :])


@rule(torch.linalg.householder_product, torch.orgqr, torch.Tensor.orgqr)
def householder_product(input, tau):
    return jax.lax.linalg.householder_product(input, tau)
