"""torch.linalg: norms, ranks, condition numbers."""

import paddle
import torch

from rewriters.rule import becomes, rule

becomes(torch.linalg.cond, paddle.linalg.cond)


@rule(torch.linalg.matrix_rank)
def matrix_rank(input, tol=None, hermitian=False, *, atol=None, rtol=None):
    return paddle.linalg.matrix_rank(input, tol=tol, hermitian=hermitian, atol=atol, rtol=rtol)


@rule(torch.linalg.norm)
def norm(input, ord=None, dim=None, keepdim=False, *, dtype=None):
    if dtype is not None:
        input = input.astype(dtype)
    if isinstance(dim, int) or (ord is None and dim is None):
        return paddle.linalg.norm(input, p=ord, axis=dim, keepdim=keepdim)
    if ord is None:  # Paddle's own takes the largest singular value
        return paddle.linalg.vector_norm(input, axis=dim, keepdim=keepdim)
    if dim is None:
        if input.ndim == 1:
            return paddle.linalg.vector_norm(input, p=ord, keepdim=keepdim)
        return paddle.linalg.matrix_norm(input, p=ord, keepdim=keepdim)
    if len(dim) == 1:
        return paddle.linalg.vector_norm(input, p=ord, axis=dim, keepdim=keepdim)
    return paddle.linalg.matrix_norm(input, p=ord, axis=dim, keepdim=keepdim)


@rule(torch.linalg.vector_norm)
def vector_norm(input, ord=2, dim=None, keepdim=False, *, dtype=None):
    if dim is None:
        return paddle.linalg.norm(input if dtype is None else input.astype(dtype), p=ord, axis=dim, keepdim=keepdim)
    if input.ndim == 0:  # over an axis that is not there, Paddle's gradient writes past the memory of a number
        return paddle.linalg.norm(input if dtype is None else input.astype(dtype), p=ord)
    if isinstance(dim, int):
        return paddle.linalg.norm(input if dtype is None else input.astype(dtype), p=ord, axis=dim, keepdim=keepdim)
    return paddle.linalg.vector_norm(input, p=ord, axis=dim, keepdim=keepdim, dtype=dtype)


@rule(torch.linalg.matrix_norm)
def matrix_norm(input, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    return paddle.linalg.matrix_norm(input if dtype is None else input.astype(dtype), p=ord, axis=dim, keepdim=keepdim)
