"""torch: axes exchanged, turned and rolled."""

import oneflow
import torch

from rewriters.rule import becomes, family, rule

becomes(torch.permute_copy, oneflow.permute)
becomes(torch.moveaxis, torch.Tensor.moveaxis, torch.Tensor.movedim, oneflow.movedim)


@rule(torch.transpose, torch.swapdims, torch.transpose_copy)
def transpose(input, dim0, dim1):
    if dim0 == dim1:
        return input
    return oneflow.transpose(input, dim0, dim1)


@rule(torch.Tensor.transpose, torch.Tensor.swapdims)
def transpose(self, dim0, dim1):
    if dim0 == dim1:
        return self
    return self.transpose(dim0, dim1)


@rule(torch.swapaxes)
def swapaxes(input, axis0, axis1):
    if axis0 == axis1:
        return input
    return oneflow.transpose(input, axis0, axis1)


@rule(torch.Tensor.swapaxes)
def swapaxes(self, axis0, axis1):
    if axis0 == axis1:
        return self
    return self.transpose(axis0, axis1)


@rule(torch.Tensor.permute)
def permute(self, *dims: int):
    return self.permute(*dims)


@family("permute flip")
@rule(torch.Tensor.permute)
def permute(self, dims: list | tuple):
    return self.permute(dims)


@rule(torch.Tensor.permute)
def permute(self, *dims):
    return self.permute(*dims)


@rule(torch.Tensor.mT, torch.Tensor.mH, torch.adjoint, torch.Tensor.adjoint)
def matrix_transpose(input):
    return input.transpose(-2, -1)


@family("H T", "hermitian reverse")
@rule(torch.Tensor.H)
def hermitian(self):
    return self.T


@rule(torch.Tensor.flip)
def flip(self, *dims: int):
    return self.flip(dims)


@rule(torch.roll, torch.Tensor.roll)
def roll(input, shifts, dims=None):
    if input.ndim == 0 or 0 in input.shape:
        return input.clone()
    if dims is None or dims == ():
        return oneflow.roll(input, shifts if isinstance(shifts, int) else shifts[0])
    # counted from the end, OneFlow rolls along other axes
    axes = dims % input.ndim if isinstance(dims, int) else [axis % input.ndim for axis in dims]
    return oneflow.roll(input, shifts, axes)


@rule(torch.rot90, torch.Tensor.rot90)
def rot90(input, k=1, dims=(0, 1)):
    k = k % 4
    if k == 2:
        return oneflow.flip(input, dims)
    if k == 1:
        return oneflow.transpose(oneflow.flip(input, dims[1]), dims[0], dims[1])
    return oneflow.flip(oneflow.transpose(input, dims[0], dims[1]), dims[1]) if k == 3 else input.clone()
