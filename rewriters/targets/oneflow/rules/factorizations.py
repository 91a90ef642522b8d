"""torch: factorizations under their older names."""

from collections import namedtuple

import numpy
import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.linalg.decompositions import as_tensors, turned
from rewriters.targets.oneflow.rules.linalg.factorizations import (
    Lu,
    LuFactor,
    LuFactorEx,
    Orthogonal,
    factorized,
    householder_product,
    orthogonal,
    singular,
    told,
    unpacked,
)

OldSvd = namedtuple("OldSvd", ["U", "S", "V"])


Reflectors = namedtuple("Reflectors", ["a", "tau"])


@rule(torch.svd, torch.Tensor.svd)
def old_svd(input, some=True, compute_uv=True):
    u, s, vh = singular(input, not some)
    if not compute_uv:
        rows, columns = input.shape[-2:]
        u = oneflow.zeros(*input.shape[:-2], rows, rows, dtype=input.dtype, device=input.device)
        vh = oneflow.zeros(*input.shape[:-2], columns, columns, dtype=input.dtype, device=input.device)
    return OldSvd(u, s, turned(vh))


@rule(torch.qr, torch.Tensor.qr)
def old_qr(input, some=True):
    return Orthogonal(*orthogonal(input, "reduced" if some else "complete"))


@rule(torch.lu, torch.Tensor.lu)
def old_lu(A, pivot=True, get_infos=False):
    factors, pivots = factorized(A, pivot)
    if get_infos:
        return LuFactorEx(factors, pivots, told(factors))
    return LuFactor(factors, pivots)


@rule(torch.lu_unpack)
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    nothing = oneflow.zeros(0, dtype=LU_data.dtype, device=LU_data.device)
    permutation, lower, upper = unpacked(LU_data, LU_pivots)
    return Lu(
        permutation if unpack_pivots else nothing,
        lower if unpack_data else nothing.clone(),
        upper if unpack_data else nothing.clone(),
    )


@rule(torch.orgqr, torch.Tensor.orgqr)
def orgqr(input, input2):
    return householder_product(input, input2)


def applied(input, tau, other, adjoint):
    """Q @ other, reflector by reflector."""
    count = tau.shape[-1]
    for n in range(count) if adjoint else reversed(range(count)):
        column = input[..., :, n : n + 1]
        rows = oneflow.arange(column.shape[-2], device=input.device).reshape(-1, 1)
        vector = column * (rows > n).to(input.dtype) + (rows == n).to(input.dtype)
        along = oneflow.matmul(turned(vector), other)
        other = other - tau[..., n : n + 1].unsqueeze(-1) * oneflow.matmul(vector, along)
    return other


@rule(torch.ormqr, torch.Tensor.ormqr)
def ormqr(input, input2, input3, left=True, transpose=False):
    if 0 in input.shape or 0 in input3.shape:
        return input3.clone()
    if left:
        return applied(input, input2, input3, transpose)
    return turned(applied(input, input2, turned(input3), not transpose))


@rule(torch.geqrf, torch.Tensor.geqrf)
def geqrf(input):
    """The reflectors of a QR decomposition below the diagonal, R on and above it."""
    if 0 in input.shape:
        return Reflectors(input.clone(), input.new_zeros((*input.shape[:-2], min(input.shape[-2:]))))
    found, tau = numpy.linalg.qr(input.detach().numpy(), "raw")
    return Reflectors(*as_tensors((numpy.swapaxes(found, -2, -1), tau), input))
