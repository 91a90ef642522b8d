"""torch.linalg: norms and condition numbers."""

import math

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.linalg.decompositions import identity
from rewriters.targets.oneflow.rules.linalg.factorizations import singular
from rewriters.targets.oneflow.rules.linalg.solving import solution


@rule(torch.linalg.vector_norm)
def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    return norm_of(x if dtype is None else x.to(dtype), ord, dim, keepdim)


def norm_of(x, order, dim, keepdim):
    """Over some axes, or all: OneFlow's own aborts on numbers, and its gradient is not a number at zero."""
    if x.ndim == 0:
        return (x != 0).to(x.dtype) if order == 0 else oneflow.abs(x)
    axes = list(range(x.ndim)) if dim is None or dim == () or dim == [] else [dim] if isinstance(dim, int) else dim
    axes = list(axes)
    size = oneflow.abs(x)
    if order == math.inf:
        return oneflow.amax(size, axes, keepdim)
    if order == -math.inf:
        return oneflow.amin(size, axes, keepdim)
    if order == 0:
        return oneflow.sum((x != 0).to(x.dtype), axes, keepdim)
    if order == 1:
        return oneflow.sum(size, axes, keepdim)
    total = oneflow.sum(size * size if order == 2 else oneflow.pow(size, order), axes, keepdim)
    if order < 0:
        return oneflow.pow(total, 1.0 / order)
    zero = total == 0  # where the root has no gradient
    safe = oneflow.masked_fill(total, zero, 1.0)
    root = oneflow.sqrt(safe) if order == 2 else oneflow.pow(safe, 1.0 / order)
    return root * (1 - zero.to(root.dtype))


@rule(torch.linalg.matrix_norm)
def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    return norm_of_matrix(A if dtype is None else A.to(dtype), ord, dim, keepdim)


def norm_of_matrix(A, order, dim, keepdim):
    """Of the matrices that two axes span."""
    if order == "fro":
        return norm_of(A, 2, list(dim), keepdim)
    rows, columns = (axis % A.ndim for axis in dim)
    if order in ("nuc", 2, -2):
        rest = [axis for axis in range(A.ndim) if axis not in (rows, columns)]
        values = singular(A.permute(*rest, rows, columns), False)[1]
        found = oneflow.sum(values, -1) if order == "nuc" else values[..., 0 if order == 2 else -1]
        return (
            found.reshape([1 if n in (rows, columns) else size for n, size in enumerate(A.shape)]) if keepdim else found
        )
    summed, extreme = (rows, columns) if order in (1, -1) else (columns, rows)
    sums = oneflow.sum(oneflow.abs(A), summed, True)
    found = oneflow.amax(sums, extreme, True) if order > 0 else oneflow.amin(sums, extreme, True)
    if keepdim:
        return found
    return found.reshape([size for axis, size in enumerate(A.shape) if axis not in (rows, columns)])


@rule(torch.linalg.norm)
def linalg_norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    A = A if dtype is None else A.to(dtype)
    pair = len(dim) == 2 if isinstance(dim, (tuple, list)) else dim is None and A.ndim == 2
    if ord is None:
        return norm_of(A, 2, dim, keepdim)
    if pair:
        return norm_of_matrix(A, ord, (0, 1) if dim is None else dim, keepdim)
    return norm_of(A, ord, dim, keepdim)


@rule(torch.linalg.cond)
def cond(A, p=None):
    if p in (None, 2, -2):
        s = singular(A, False)[1]
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    inverse = solution(A, identity(A, A.shape[-1]))
    return linalg_norm(A, p, (-2, -1)) * linalg_norm(inverse, p, (-2, -1))
