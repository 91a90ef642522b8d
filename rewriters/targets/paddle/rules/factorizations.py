"""torch: factorizations under their older names."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import alias, becomes, rule
from rewriters.targets.paddle.rules.linalg.factorizations import (
    Lu,
    LuFactor,
    LuFactorEx,
    Qr,
    factors,
    householder_product,
    orthogonal,
    solved_by_lu,
    tied,
)

becomes(torch.pca_lowrank, paddle.linalg.pca_lowrank)

OldSvd = namedtuple("OldSvd", ["U", "S", "V"])


@rule(torch.svd, torch.Tensor.svd)
def old_svd(input, some=True, compute_uv=True):
    u, s, vh = factors(input, not some)
    v = paddle.conj(vh).mT if vh.is_complex() else vh.mT
    if not compute_uv:
        u = paddle.zeros([*input.shape[:-1], input.shape[-2]], dtype=input.dtype)
        v = paddle.zeros([*input.shape[:-2], input.shape[-1], input.shape[-1]], dtype=input.dtype)
    return OldSvd(u, s, v)


@rule(torch.svd_lowrank)
def svd_lowrank(A, q=6, niter=2, M=None):
    return OldSvd(*paddle.linalg.svd_lowrank(A, q=min(q, *A.shape[-2:]), niter=niter, M=M))


@rule(torch.qr, torch.Tensor.qr)
def old_qr(input, some=True):
    return Qr(*orthogonal(input, "reduced" if some else "complete"))


@rule(torch.lu, torch.Tensor.lu)
def old_lu(A, pivot=True, get_infos=False):
    if get_infos:
        return LuFactorEx(*paddle.linalg.lu(A, pivot=pivot, get_infos=True))
    return LuFactor(*paddle.linalg.lu(A, pivot=pivot))


@rule(torch.lu_unpack)
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    permutation, lower, upper = paddle.linalg.lu_unpack(
        LU_data, LU_pivots, unpack_ludata=unpack_data, unpack_pivots=unpack_pivots
    )
    return Lu(permutation, *(tied(lower, upper) if unpack_data else (lower, upper)))


@rule(torch.orgqr, torch.Tensor.orgqr)
def orgqr(input, input2):
    return householder_product(input, input2)


alias(torch.AcceleratorError, "RuntimeError")


Reflectors = namedtuple("Reflectors", ["a", "tau"])


@rule(torch.lu_solve, torch.Tensor.lu_solve)
def lu_solve(input, LU_data, LU_pivots):
    return solved_by_lu(LU_data, LU_pivots, input, True, False)


def reflected(input, tau, other, adjoint):
    """Q @ other, reflector by reflector."""
    count = tau.shape[-1]
    for j in range(count) if adjoint else reversed(range(count)):
        above = paddle.zeros([*input.shape[:-2], j], input.dtype)
        v = paddle.concat([above, paddle.ones_like(input[..., :1, j]), input[..., j + 1 :, j]], axis=-1)
        factor = tau[..., j].conj() if adjoint else tau[..., j]
        along = paddle.matmul(v.conj().unsqueeze(-2), other)
        other = other - factor.unsqueeze([-1, -2]) * v.unsqueeze(-1) * along
    return other


@rule(torch.ormqr, torch.Tensor.ormqr)
def ormqr(input, input2, input3, left=True, transpose=False):
    if left:
        return reflected(input, input2, input3, transpose)
    return reflected(input, input2, input3.mT.conj(), not transpose).mT.conj()


@rule(torch.geqrf, torch.Tensor.geqrf)
def geqrf(input):
    """The reflectors of a QR decomposition below the diagonal, R on and above it."""
    a, taus = input.detach().clone(), []
    rows, columns = a.shape[-2:]
    for j in range(min(rows, columns)):
        x = a[..., j:, j]
        head = x[..., 0]
        tail = (paddle.abs(x[..., 1:]) ** 2).sum(axis=-1)
        size = paddle.sqrt(paddle.abs(head) ** 2 + tail)
        beta = (
            paddle.where(paddle.real(head) >= 0, -size, size)
            if a.is_complex()
            else paddle.where(head >= 0, -size, size)
        )
        still = (tail <= 0) & (paddle.imag(head) * paddle.imag(head) <= 0 if a.is_complex() else tail <= 0)
        beta = beta.astype(a.dtype)
        safe = paddle.where(still, paddle.ones_like(beta), beta)
        tau = paddle.where(still, paddle.zeros_like(beta), (safe - head) / safe)
        below = x[..., 1:] / paddle.where(still, paddle.ones_like(head), head - safe).unsqueeze(-1)
        below = paddle.where(still.unsqueeze(-1), paddle.zeros_like(below), below)
        v = paddle.concat([paddle.ones_like(head).unsqueeze(-1), below], axis=-1)
        rest = a[..., j:, j + 1 :]
        along = paddle.matmul(v.conj().unsqueeze(-2), rest)
        rest = rest - tau.conj().unsqueeze([-1, -2]) * v.unsqueeze(-1) * along
        new_column = paddle.concat([paddle.where(still, head, beta).unsqueeze(-1), below], axis=-1).unsqueeze(-1)
        lower = paddle.concat([a[..., j:, :j], new_column, rest], axis=-1)
        a = paddle.concat([a[..., :j, :], lower], axis=-2)
        taus.append(tau)
    tau = paddle.stack(taus, axis=-1) if taus else paddle.zeros([*a.shape[:-2], 0], a.dtype)
    return Reflectors(a, tau)
