"""torch: factorizations of matrices under its older names."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.linalg.factorizations import (
    LU,
    QR,
    LUFactorsInfo,
    OldSingular,
    Reflectors,
    Triangular,
    cholesky_of,
    permutation_of,
    pinv_of,
    solved_by_cholesky,
    solved_by_lu,
    triangles_of,
    triangular_of,
)


@rule(torch.cholesky, torch.Tensor.cholesky)
def old_cholesky(input, upper=False):
    return cholesky_of(input, upper)


@rule(torch.cholesky_solve, torch.Tensor.cholesky_solve)
def cholesky_solve(input, input2, upper=False):
    lower = jnp.tril(input2.mT.conj() if upper else input2)
    return solved_by_cholesky(lower, input)


@rule(torch.cholesky_inverse, torch.Tensor.cholesky_inverse)
def cholesky_inverse(input, upper=False):
    lower = jnp.tril(input.mT.conj() if upper else input)
    return solved_by_cholesky(lower, jnp.broadcast_to(jnp.eye(input.shape[-1], dtype=input.dtype), input.shape))


@rule(torch.logdet, torch.Tensor.logdet)
def logdet(input):
    sign, size = jnp.linalg.slogdet(input)
    return size + jnp.log(sign)


@rule(torch.qr, torch.Tensor.qr)
def old_qr(input, some=True):
    return QR(*jnp.linalg.qr(input, mode="reduced" if some else "complete"))


@rule(torch.svd, torch.Tensor.svd)
def old_svd(input, some=True, compute_uv=True):
    u, s, vh = jnp.linalg.svd(input, full_matrices=not some)
    if not compute_uv:
        rows, columns = input.shape[-2:]
        lead = input.shape[:-2]
        return OldSingular(
            jnp.zeros((*lead, rows, rows), input.dtype), s, jnp.zeros((*lead, columns, columns), input.dtype)
        )
    return OldSingular(u, s, vh.mT.conj())


@rule(torch.pinverse, torch.Tensor.pinverse)
def pinverse(input, rcond=1e-15):
    return pinv_of(input, None, rcond, False)


@rule(torch.triangular_solve, torch.Tensor.triangular_solve)
def triangular_solve(input, A, upper=True, transpose=False, unitriangular=False):
    turned = A.mT if transpose else A
    return Triangular(triangular_of(turned, input, upper != transpose, True, unitriangular), A)


@rule(torch.geqrf, torch.Tensor.geqrf)
def geqrf(input):
    turned, tau = jnp.linalg.qr(input, mode="raw")
    return Reflectors(turned.mT, tau)


@rule(torch.lu_unpack)
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    none = jnp.zeros((0,), LU_data.dtype)
    lower, upper = triangles_of(LU_data) if unpack_data else (none, none)
    return LU(permutation_of(LU_pivots, LU_data) if unpack_pivots else none, lower, upper)


@rule(torch.lu_solve, torch.Tensor.lu_solve)
def lu_solve(input, LU_data, LU_pivots):
    return solved_by_lu(LU_data, LU_pivots, input)


@rule(torch.lu, torch.Tensor.lu, torch.functional.lu)
def lu(input, pivot=True, get_infos=False):
    if not pivot:
        raise NotImplementedError("JAX has factors with pivots alone; pass pivot=True")
    packed, pivots, _ = jax.lax.linalg.lu(input)
    if get_infos:
        return LUFactorsInfo(packed, pivots + 1, jnp.zeros(input.shape[:-2], jnp.int32))
    return packed, pivots + 1


def reflected(input, tau, other, adjoint):
    """Q @ other, reflector by reflector."""
    count = tau.shape[-1]
    for j in range(count) if adjoint else reversed(range(count)):
        above = jnp.zeros((*input.shape[:-2], j), input.dtype)
        v = jnp.concatenate([above, jnp.ones_like(input[..., :1, j]), input[..., j + 1 :, j]], axis=-1)
        factor = tau[..., j].conj() if adjoint else tau[..., j]
        along = v.conj()[..., None, :] @ other
        other = other - factor[..., None, None] * v[..., None] * along
    return other


@rule(torch.ormqr, torch.Tensor.ormqr)
def ormqr(input, input2, input3, left=True, transpose=False):
    if left:
        return reflected(input, input2, input3, transpose)
    return reflected(input, input2, input3.mT.conj(), not transpose).mT.conj()


def first_singular(matrix, count):
    """The decomposition itself, of which torch's is an estimate from random vectors."""
    u, s, vh = jnp.linalg.svd(matrix, full_matrices=False)
    return OldSingular(u[..., :count], s[..., :count], vh.mT.conj()[..., :count])


@rule(torch.svd_lowrank)
def svd_lowrank(A, q=6, niter=2, M=None):
    return first_singular(A if M is None else A - M, q)


@rule(torch.pca_lowrank)
def pca_lowrank(A, q=None, center=True, niter=2):
    number = min(6, *A.shape[-2:]) if q is None else q
    if not 0 <= number <= min(A.shape[-2:]):
        raise ValueError(f"q(={number}) must be non-negative integer and not greater than {min(A.shape[-2:])}")
    return first_singular(A - A.mean(axis=-2, keepdims=True) if center else A, number)
