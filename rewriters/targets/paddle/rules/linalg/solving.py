"""Determinants, inverses and solvers: torch.linalg and its older names."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import alias, family, rule

InvEx = namedtuple("InvEx", ["inverse", "info"])


SolveEx = namedtuple("SolveEx", ["result", "info"])


Lstsq = namedtuple("Lstsq", ["solution", "residuals", "rank", "singular_values"])


alias(torch.linalg.LinAlgError, "ValueError")


@family("det slogdet", "paddle.linalg paddle.compat")
@rule(torch.linalg.det, torch.det, torch.Tensor.det)
def det(input):
    return paddle.linalg.det(input)


@rule(torch.linalg.inv, torch.inverse, torch.Tensor.inverse)
def inv(input):
    return paddle.linalg.inv(input)


@rule(torch.linalg.inv_ex)
def inv_ex(A, *, check_errors=False):
    return InvEx(paddle.linalg.inv(A), paddle.zeros(A.shape[:-2], dtype="int32"))


def left_out_below(matrix, atol, rtol):
    """The share of the largest singular value up to which one counts as zero, as torch reckons it: Paddle's own
    default is 1e-15, which leaves a singular matrix in float32 an inverse of noise.
    """
    if rtol is None:
        rtol = max(matrix.shape[-2:]) * paddle.finfo(matrix.dtype).eps if atol is None else 0.0
    if isinstance(rtol, paddle.Tensor):
        rtol = rtol.unsqueeze(-1)
    if atol is None or 0 in matrix.shape:
        return rtol
    largest = paddle.linalg.svdvals(matrix.detach()).max(-1, keepdim=True)
    atol = atol.unsqueeze(-1) if isinstance(atol, paddle.Tensor) else paddle.full([1], atol, dtype=largest.dtype)
    return paddle.maximum(atol / largest.clip(min=paddle.finfo(largest.dtype).tiny), rtol + paddle.zeros_like(atol))


class PseudoInverse(paddle.autograd.PyLayer):
    """The pseudoinverse with its own gradient: Paddle's goes by the singular vectors and loses digits, all of them
    where a matrix is singular.
    """

    @staticmethod
    def forward(ctx, matrix, rcond, hermitian=False):
        whole = matrix
        if hermitian:  # torch reads the lower half alone; its gradient is that of the matrix as it stands
            whole = paddle.tril(matrix) + paddle.tril(matrix, -1).mT.conj()
        inverse = paddle.linalg.pinv(whole, rcond=rcond())
        ctx.save_for_backward(matrix, inverse)
        return inverse

    @staticmethod
    @paddle.autograd.py_layer.once_differentiable
    def backward(ctx, grad):
        matrix, inverse = ctx.saved_tensor()
        turned, adjoint = grad.mT.conj(), inverse.mT.conj()
        rows = turned - matrix @ (inverse @ turned)
        columns = turned - turned @ inverse @ matrix
        return rows @ inverse @ adjoint + adjoint @ inverse @ columns - adjoint @ grad @ adjoint


@rule(torch.linalg.pinv)
def pinv(input, *, atol=None, rtol=None, hermitian=False):
    return PseudoInverse.apply(input, lambda: left_out_below(input, atol, rtol), hermitian)


@rule(torch.linalg.pinv)
def pinv(input, rcond, hermitian=False):
    return PseudoInverse.apply(input, lambda: left_out_below(input, None, rcond), hermitian)


def together(A, B):
    """Both as tensors whose gradients are asked for where one's is: else Paddle's solvers hand that one a wrong one, or
    end the process.
    """
    if A.stop_gradient and not B.stop_gradient:
        return A + (B * 0).sum(), B
    return A, B if A.stop_gradient else B + (A * 0).sum()


def solution(A, B, left):
    """paddle.linalg.solve, which takes a batch of vectors for a matrix where the batch is empty."""
    A, B = together(A, B)
    if B.ndim == A.ndim - 1 and B.shape == A.shape[:-1]:
        return paddle.linalg.solve(A, B.unsqueeze(-1), left=left).squeeze(-1)
    return paddle.linalg.solve(A, B, left=left)


@rule(torch.linalg.solve)
def solve(A, B, *, left=True):
    return solution(A, B, left)


@rule(torch.linalg.solve_ex)
def solve_ex(A, B, *, left=True, check_errors=False):
    return SolveEx(solution(A, B, left), paddle.zeros(A.shape[:-2], dtype="int32"))


@rule(torch.linalg.solve_triangular)
def solve_triangular(input, B, *, upper, left=True, unitriangular=False):
    if unitriangular:  # Paddle hands the diagonal, which is not read, a gradient
        input = (paddle.triu(input, 1) if upper else paddle.tril(input, -1)) + paddle.eye(
            input.shape[-1], dtype=input.dtype
        )
    input, B = together(input, B)
    if left:
        return paddle.linalg.triangular_solve(input, B, upper=upper)
    return paddle.linalg.triangular_solve(input.mT, B.mT, upper=not upper).mT


@rule(torch.linalg.lstsq)
def lstsq(input, b, rcond=None, *, driver=None):
    solution, residuals, rank, singular_values = paddle.linalg.lstsq(input, b, rcond=rcond, driver=driver)
    if not (input.stop_gradient and b.stop_gradient):  # paddle.linalg.lstsq has no gradient
        solution = PseudoInverse.apply(input, lambda: left_out_below(input, None, rcond)) @ b
        error = ((input @ solution - b).abs() ** 2).sum(-2)
        residuals = error if residuals.size else residuals + error.sum()
    return Lstsq(solution, residuals, rank.astype("int64"), singular_values)


@rule(torch.linalg.tensorinv)
def tensorinv(input, ind=2):
    rows = input.shape[:ind].numel()
    return paddle.linalg.inv(input.reshape([rows, -1])).reshape([*input.shape[ind:], *input.shape[:ind]])


@rule(torch.linalg.tensorsolve)
def tensorsolve(input, other, dims=None):
    if dims is not None:
        input = paddle.moveaxis(input, dims, list(range(input.ndim - len(dims), input.ndim)))
    solution = paddle.linalg.solve(*together(input.reshape([other.size, -1]), other.flatten().unsqueeze(-1)))
    return solution.reshape(input.shape[other.ndim :])
