"""torch: axes exchanged, turned and rolled."""

import paddle
import torch

from rewriters.rule import Rank, becomes, family, rule

becomes(torch.permute, torch.permute_copy, paddle.transpose)
becomes(torch.movedim, torch.moveaxis, torch.Tensor.movedim, torch.Tensor.moveaxis, paddle.moveaxis)
becomes(torch.flip, paddle.flip, dims="axis")


@rule(torch.transpose, torch.swapdims, torch.transpose_copy)
def transpose(input, dim0, dim1):
    return input.swapaxes(dim0, dim1)


@rule(torch.Tensor.transpose, torch.Tensor.swapdims)
def transpose(self, dim0, dim1):
    return self.swapaxes(dim0, dim1)


@rule(torch.swapaxes, torch.Tensor.swapaxes)
def swapaxes(input, axis0, axis1):
    return input.swapaxes(axis0, axis1)


@family("permute flip", "transpose flip")
@rule(torch.Tensor.permute)
def permute(self, *dims: int):
    return self.transpose(dims)


@family("permute flip", "transpose flip")
@rule(torch.Tensor.permute)
def permute(self, dims: list | tuple):
    return self.transpose(dims)


@rule(torch.adjoint, torch.Tensor.adjoint)
def adjoint(input):
    return paddle.matrix_transpose(paddle.conj(input)) if input.is_complex() else paddle.matrix_transpose(input)


@rule(torch.Tensor.H, torch.Tensor.mH)
def hermitian(self):
    return self.mT.conj() if self.is_complex() else self.mT


@rule(torch.roll, torch.Tensor.roll)
def roll(input, shifts, dims=None):
    return paddle.roll(input, shifts, axis=dims)


@rule(torch.rot90, torch.Tensor.rot90)
def rot90(input, k=1, dims=(0, 1)):
    return paddle.rot90(input, k=k, axes=dims)


@rule(torch.transpose, torch.swapdims, torch.transpose_copy, torch.Tensor.transpose, torch.Tensor.swapdims)
def transpose(input: Rank[0], dim0, dim1):
    return input.clone()


@rule(torch.swapaxes, torch.Tensor.swapaxes)
def swapaxes(input: Rank[0], axis0, axis1):
    return input.clone()
