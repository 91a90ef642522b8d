"""Products of vectors and matrices, with what is added to them."""

import paddle
import torch

from rewriters.rule import IntTensor, becomes, family, rule

becomes(torch.outer, torch.ger, torch.Tensor.outer, torch.Tensor.ger, paddle.outer)
becomes(torch.tensordot, paddle.tensordot, dims="axes")


@family("matmul mv dot inner kron", "other vec tensor other other")
@rule(torch.matmul, torch.Tensor.matmul)
def matmul(input, other):
    return paddle.matmul(input, other)


@family("mm bmm")
@rule(torch.mm, torch.Tensor.mm)
def mm(input, mat2):
    return paddle.mm(input, mat2)


# Paddle multiplies matrices of whole numbers as float32, which holds them up to 2 ** 24.
@family("matmul mm bmm", "other mat2 mat2")
@rule(torch.matmul, torch.Tensor.matmul)
def matmul(input: IntTensor, other: IntTensor):
    return paddle.matmul(input.astype("float64"), other.astype("float64")).astype(input.dtype)


@rule(torch.Tensor.__matmul__)
def matmul_of_integers(input: IntTensor, other: IntTensor):
    return (input.astype("float64") @ other.astype("float64")).astype(input.dtype)


@rule(torch.Tensor.__matmul__)
def matmul_of_more(input, other):
    return input @ other


@rule(torch.vdot, torch.Tensor.vdot)
def vdot(input, other):
    return paddle.dot(paddle.conj(input), other)


@rule(torch.einsum)
def einsum(equation, *operands: paddle.Tensor):
    return paddle.einsum(equation, *operands)


@rule(torch.einsum)
def einsum(equation, operands: list | tuple):
    return paddle.einsum(equation, *operands)


@rule(torch.chain_matmul)
def chain_matmul(*matrices):
    return paddle.linalg.multi_dot(list(matrices))


@family("addmm addmv", "mat1 mat", "mat2 vec")
@rule(torch.addmm, torch.Tensor.addmm)
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    if beta == 1 and alpha == 1:
        return input + mat1 @ mat2
    return beta * input + alpha * (mat1 @ mat2)


# numbers before what they weigh, as code of long ago has them
@family("addmm addmv addr addbmm baddbmm", "mat1 mat vec1 batch1 batch1", "mat2 vec vec2 batch2 batch2")
@rule(torch.addmm)
def weighed_addmm(beta, input, alpha, mat1, mat2):
    return addmm(input, mat1, mat2, beta=beta, alpha=alpha)


@family("addmm addmv addr addbmm baddbmm", "mat1 mat vec1 batch1 batch1", "mat2 vec vec2 batch2 batch2")
@rule(torch.addmm)
def scaled_addmm(beta, input, mat1, mat2):
    return addmm(input, mat1, mat2, beta=beta)


@rule(torch.Tensor.addmm_)
def addmm_(self, mat1, mat2, *, beta=1, alpha=1):
    return paddle.assign(beta * self + alpha * (mat1 @ mat2), self)


@rule(torch.addmv_, torch.Tensor.addmv_)
def addmv_(input, mat, vec, *, beta=1, alpha=1):
    return paddle.assign(beta * input + alpha * (mat @ vec), input)


@rule(torch.addr, torch.Tensor.addr)
def addr(input, vec1, vec2, *, beta=1, alpha=1):
    if beta == 1 and alpha == 1:
        return input + paddle.outer(vec1, vec2)
    return beta * input + alpha * paddle.outer(vec1, vec2)


@rule(torch.Tensor.addr_)
def addr_(self, vec1, vec2, *, beta=1, alpha=1):
    return paddle.assign(beta * self + alpha * paddle.outer(vec1, vec2), self)


@rule(torch.baddbmm, torch.Tensor.baddbmm)
def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    if beta == 1 and alpha == 1:
        return input + paddle.bmm(batch1, batch2)
    if beta == 0:
        return alpha * paddle.bmm(batch1, batch2)
    return beta * input + alpha * paddle.bmm(batch1, batch2)


@rule(torch.Tensor.baddbmm_)
def baddbmm_(self, batch1, batch2, *, beta=1, alpha=1):
    return paddle.assign(beta * self + alpha * paddle.bmm(batch1, batch2), self)


@rule(torch.addbmm, torch.Tensor.addbmm)
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return beta * input + alpha * paddle.bmm(batch1, batch2).sum(axis=0)


@rule(torch.Tensor.addbmm_)
def addbmm_(self, batch1, batch2, *, beta=1, alpha=1):
    return paddle.assign(beta * self + alpha * paddle.bmm(batch1, batch2).sum(axis=0), self)


def wanting(tensor, *others):
    """The tensor, with a gradient of its own where another has one: some of Paddle's gradients end the process else."""
    if tensor.stop_gradient and paddle.is_grad_enabled() and not all(other.stop_gradient for other in others):
        tensor = tensor.detach()
        tensor.stop_gradient = False
    return tensor


@rule(torch.cross, torch.Tensor.cross)
def cross(input, other, dim=None):
    input, other = wanting(input, other), wanting(other, input)
    if dim is None:
        return paddle.cross(input, other)
    return paddle.cross(input, other, axis=dim)
