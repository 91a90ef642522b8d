"""Solving with a factorization that is there already, and reflectors."""

import functools
from collections import namedtuple

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.AcceleratorError, "RuntimeError")

Reflectors = namedtuple("Reflectors", ["a", "tau"])


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


@rule(torch.Tensor.register_post_accumulate_grad_hook)
def register_post_accumulate_grad_hook(self, hook):
    return self._register_backward_hook(lambda: hook(self))


@rule(torch.Tensor.grad_dtype)
def grad_dtype(self):
    return self.dtype


@rule(torch.Tensor.module_load)
def module_load(self, other, assign=False):
    return other.detach() if assign else paddle.assign(other.detach(), self.detach())
