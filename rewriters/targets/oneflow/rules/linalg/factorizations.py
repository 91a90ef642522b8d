"""Factorizations, eigenvalues and singular values of matrices."""

from collections import namedtuple

import numpy
import oneflow
import torch

from rewriters.rule import rule
from rewriters.shared.rules.linalg.factorizations import as_far_as_positive
from rewriters.targets.oneflow.rules.linalg.decompositions import (
    Cholesky,
    Eigh,
    EighOfUpper,  # of the family
    Elimination,
    Qr,
    Svd,
    as_tensors,
    eliminated_each,
    exchanged,
    identity,
    matrix_product,
    turned,
)

Eig = namedtuple("Eig", ["eigenvalues", "eigenvectors"])


Singular = namedtuple("Singular", ["U", "S", "Vh"])


Orthogonal = namedtuple("Orthogonal", ["Q", "R"])


Lu = namedtuple("Lu", ["P", "L", "U"])


LuFactor = namedtuple("LuFactor", ["LU", "pivots"])


LuFactorEx = namedtuple("LuFactorEx", ["LU", "pivots", "info"])


CholeskyEx = namedtuple("CholeskyEx", ["L", "info"])


def factor_of(A, upper):
    if 0 in A.shape:
        return A.clone()
    return turned(Cholesky.apply(turned(A))) if upper else Cholesky.apply(A)


@rule(torch.linalg.cholesky, torch.cholesky, torch.Tensor.cholesky)
def cholesky(input, upper=False):
    return factor_of(input, upper)


@rule(torch.linalg.cholesky_ex)
def cholesky_ex(input, *, upper=False, check_errors=False):
    lower = (turned(input) if upper else input).detach().numpy()
    try:
        numpy.linalg.cholesky(lower)
    except numpy.linalg.LinAlgError:
        if check_errors:
            raise
        flat = [as_far_as_positive(one) for one in lower.reshape(-1, *lower.shape[-2:])]
        (factor,) = as_tensors([numpy.stack([one for one, _ in flat]).reshape(lower.shape)], input)
        info = numpy.array([place for _, place in flat]).reshape(lower.shape[:-2])
        info = oneflow.tensor(info, dtype=oneflow.int32, device=input.device)
        return CholeskyEx(turned(factor) if upper else factor, info)
    info = oneflow.zeros(input.shape[:-2], dtype=oneflow.int32, device=input.device)
    return CholeskyEx(factor_of(input, upper), info)


def eigen(A, UPLO):
    if 0 in A.shape:
        return A.sum(-1), A.clone()
    found = Eigh.apply(A) if UPLO in ("L", "l") else EighOfUpper.apply(A)
    return tuple(part.clone() for part in found)  # those of one function cannot be differentiated one by one


@rule(torch.linalg.eigh)
def eigh(A, UPLO="L"):
    return Eig(*eigen(A, UPLO))


@rule(torch.linalg.eigvalsh)
def eigvalsh(A, UPLO="L"):
    return eigen(A, UPLO)[0]


def singular(A, full_matrices):
    """U, S and Vh."""
    *batch, rows, columns = A.shape
    few = min(rows, columns)
    if 0 in A.shape:
        reached = oneflow.sum(A)  # 0, and gradients come this way
        shapes = (rows, rows if full_matrices else few), (columns if full_matrices else few, columns)
        u, vh = (oneflow.eye(*shape, dtype=A.dtype, device=A.device).expand(*batch, *shape) for shape in shapes)
        return u + reached, oneflow.zeros(*batch, few, dtype=A.dtype, device=A.device) + reached, vh + reached
    u, s, vh = (part.clone() for part in Svd.apply(A))
    if full_matrices and rows != columns:
        whole_u, _, whole_vh = as_tensors(numpy.linalg.svd(A.detach().numpy()), A)
        if rows > few:
            u = oneflow.cat([u, whole_u[..., :, few:]], -1)
        else:
            vh = oneflow.cat([vh, whole_vh[..., few:, :]], -2)
    return u, s, vh


@rule(torch.linalg.svd)
def svd(A, full_matrices=True, *, driver=None):
    return Singular(*singular(A, full_matrices))


@rule(torch.linalg.svdvals)
def svdvals(A, *, driver=None):
    return singular(A, False)[1]


def orthogonal(A, mode):
    """Q and R."""
    *batch, rows, columns = A.shape
    few = min(rows, columns)
    many = rows if mode == "complete" else few
    if 0 in A.shape:
        q = oneflow.eye(rows, many, dtype=A.dtype, device=A.device).expand(*batch, rows, many)
        return q + oneflow.sum(A), oneflow.zeros(*batch, many, columns, dtype=A.dtype, device=A.device) + oneflow.sum(A)
    q, r = (part.clone() for part in Qr.apply(A[..., :, :few] if columns > few else A))
    if columns > few:
        r = oneflow.cat([r, oneflow.matmul(turned(q), A[..., :, few:])], -1)
    if many > few:
        whole, _ = as_tensors(numpy.linalg.qr(A.detach().numpy(), "complete"), A)
        q = oneflow.cat([q, whole[..., :, few:]], -1)
        nothing = oneflow.zeros(*batch, many - few, columns, dtype=A.dtype, device=A.device)
        r = oneflow.cat([r, nothing], -2)
    return q, r


@rule(torch.linalg.qr)
def qr(A, mode="reduced"):
    q, r = orthogonal(A, mode)
    return Orthogonal(oneflow.zeros(0, dtype=A.dtype, device=A.device) if mode == "r" else q, r)


def factorized(A, pivot=True):
    """L and U in one, and the pivots."""
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    factors, pivots = eliminated_each(A)
    pivots = oneflow.tensor(pivots, dtype=oneflow.int32, device=A.device)
    if 0 in A.shape:
        return A.clone(), pivots
    if not A.requires_grad:
        return as_tensors([factors], A)[0], pivots
    return Elimination.apply(matrix_product(turned(exchanged(pivots, A.shape[-2], A)), A)), pivots


def unpacked(factors, pivots):
    """P, L and U."""
    rows, columns = factors.shape[-2:]
    few = min(rows, columns)
    start = oneflow.eye(rows, few, dtype=factors.dtype, device=factors.device)
    lower = oneflow.tril(factors[..., :, :few], -1) + start
    return exchanged(pivots, rows, factors), lower, oneflow.triu(factors[..., :few, :])


def told(factors):
    """Which pivot is the first that is zero, from 1; 0 where none is."""
    values = numpy.diagonal(factors.detach().numpy(), axis1=-2, axis2=-1) == 0
    found = (
        numpy.where(values.any(-1), values.argmax(-1) + 1, 0) if values.shape[-1] else numpy.zeros(values.shape[:-1])
    )
    return oneflow.tensor(numpy.asarray(found), dtype=oneflow.int32, device=factors.device)


@rule(torch.linalg.lu)
def lu(A, *, pivot=True):
    return Lu(*unpacked(*factorized(A, pivot)))


@rule(torch.linalg.lu_factor)
def lu_factor(A, *, pivot=True):
    return LuFactor(*factorized(A, pivot))


@rule(torch.linalg.lu_factor_ex)
def lu_factor_ex(A, *, pivot=True, check_errors=False):
    factors, pivots = factorized(A, pivot)
    return LuFactorEx(factors, pivots, told(factors))


def reflected(vectors, tau, matrix):
    """One reflection after the other, the last one first: Q times a matrix.

    vectors: below the diagonal what LAPACK keeps of each.
    """
    start = oneflow.eye(*vectors.shape[-2:], dtype=vectors.dtype, device=vectors.device)
    whole = oneflow.tril(vectors, -1) + start
    for n in reversed(range(tau.shape[-1])):
        vector = whole[..., :, n : n + 1]
        along = oneflow.matmul(turned(vector), matrix)
        matrix = matrix - tau[..., n : n + 1].unsqueeze(-1) * oneflow.matmul(vector, along)
    return matrix


@rule(torch.linalg.householder_product)
def householder_product(A, tau):
    if 0 in A.shape:
        return A.clone()
    return reflected(A, tau, identity(A, A.shape[-2])[..., :, : A.shape[-1]])
