"""Products of matrices and vectors."""

import math

import oneflow
import torch

from rewriters.rule import IntTensor, Rank, family, rule


@family("matmul mm bmm", "other mat2 mat2")
@rule(torch.matmul, torch.Tensor.matmul)
def matmul(input, other):
    return oneflow.matmul(input, other)


def product_of_integers(left, right):
    """OneFlow makes it as float32, which holds whole numbers up to 2 ** 24, and takes few pairs of numbers of axes."""
    dtype, left, right = left.dtype, left.double(), right.double()
    if left.ndim == 1 and right.ndim == 1:
        return oneflow.sum(left * right).to(dtype)
    if right.ndim == 1:
        return oneflow.matmul(left, right.unsqueeze(-1)).squeeze(-1).to(dtype)
    if left.ndim == 1:
        return oneflow.matmul(left.unsqueeze(0), right).squeeze(-2).to(dtype)
    return oneflow.matmul(left, right).to(dtype)


@family("mm bmm")
@rule(torch.mm, torch.Tensor.mm)
def mm(input: IntTensor, mat2: IntTensor):
    return oneflow.mm(input.double(), mat2.double()).to(input.dtype)


@rule(torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__)
def integer_matmul(input: IntTensor, other: IntTensor):
    return product_of_integers(input, other)


@rule(torch.dot, torch.Tensor.dot, torch.vdot, torch.Tensor.vdot)
def dot(input, tensor):
    return oneflow.dot(input, tensor)


@rule(torch.vdot, torch.Tensor.vdot)
def dot(input, *, other):
    return oneflow.dot(input, other)


@rule(torch.inner, torch.Tensor.inner)
def inner(input, other):
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    rows, columns = input.reshape(-1, input.shape[-1]), other.reshape(-1, other.shape[-1])
    return oneflow.matmul(rows, columns.T).reshape([*input.shape[:-1], *other.shape[:-1]])


@rule(torch.outer, torch.Tensor.outer, torch.ger, torch.Tensor.ger)
def outer(input, vec2):
    return input.unsqueeze(1) * vec2.unsqueeze(0)


@rule(torch.addmm, torch.Tensor.addmm)
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    if beta == 1 and alpha == 1:
        return input + oneflow.mm(mat1, mat2)
    return beta * input + alpha * oneflow.mm(mat1, mat2)


@rule(torch.addmv, torch.Tensor.addmv)
def addmv(input, mat, vec, *, beta=1, alpha=1):
    if beta == 1 and alpha == 1:
        return input + oneflow.mv(mat, vec)
    return beta * input + alpha * oneflow.mv(mat, vec)


@rule(torch.addr, torch.Tensor.addr)
def addr(input, vec1, vec2, *, beta=1, alpha=1):
    return beta * input + alpha * vec1.unsqueeze(1) * vec2.unsqueeze(0)


@rule(torch.baddbmm, torch.Tensor.baddbmm)
def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    if beta == 1 and alpha == 1:
        return input + oneflow.bmm(batch1, batch2)
    return beta * input + alpha * oneflow.bmm(batch1, batch2)


@rule(torch.addbmm, torch.Tensor.addbmm)
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return beta * input + alpha * oneflow.sum(oneflow.bmm(batch1, batch2), 0)


@rule(torch.Tensor.addmm_)
def addmm_(self, mat1, mat2, *, beta=1, alpha=1):
    self[...] = beta * self.clone() + alpha * oneflow.mm(mat1, mat2)
    return self


@rule(torch.Tensor.addmv_, torch.addmv_)
def addmv_(self, mat, vec, *, beta=1, alpha=1):
    self[...] = beta * self.clone() + alpha * oneflow.mv(mat, vec)
    return self


@rule(torch.Tensor.addr_)
def addr_(self, vec1, vec2, *, beta=1, alpha=1):
    self[...] = beta * self.clone() + alpha * vec1.unsqueeze(1) * vec2.unsqueeze(0)
    return self


@rule(torch.Tensor.baddbmm_)
def baddbmm_(self, batch1, batch2, *, beta=1, alpha=1):
    self[...] = beta * self.clone() + alpha * oneflow.bmm(batch1, batch2)
    return self


@rule(torch.Tensor.addbmm_)
def addbmm_(self: Rank[0], batch1, batch2, *, beta=1, alpha=1):
    raise NotImplementedError("OneFlow 0.9 does not change a tensor's shape in place; use torch.addbmm")


@rule(torch.Tensor.addbmm_)
def addbmm_(self, batch1, batch2, *, beta=1, alpha=1):
    self[...] = beta * self.clone() + alpha * oneflow.sum(oneflow.bmm(batch1, batch2), 0)
    return self


@rule(torch.chain_matmul)
def chain_matmul(*matrices):
    return multiplied(matrices)


def multiplied(factors):
    """The product of all; vectors at the ends are rows and columns."""
    first, last = factors[0].ndim == 1, factors[-1].ndim == 1
    product = factors[0].unsqueeze(0) if first else factors[0]
    for number, factor in enumerate(factors[1:], 2):
        product = oneflow.matmul(product, factor.unsqueeze(1) if last and number == len(factors) else factor)
    product = product.squeeze(-1) if last else product
    return product.squeeze(0) if first else product


@rule(torch.einsum)
def einsum(equation: str, *operands: oneflow.Tensor):
    return oneflow.einsum(equation, *operands)


@rule(torch.einsum)
def einsum(equation: str, operands: list | tuple):
    return oneflow.einsum(equation, *operands)


@rule(torch.einsum)
def einsum(equation: str, *operands):
    return oneflow.einsum(equation, *operands)


@rule(torch.kron, torch.Tensor.kron)
def kron(input, other):
    count = input.ndim if input.ndim > other.ndim else other.ndim
    first, second = [1] * (count - input.ndim) + list(input.shape), [1] * (count - other.ndim) + list(other.shape)
    rows = input.reshape([size for length in first for size in (length, 1)])
    columns = other.reshape([size for length in second for size in (1, length)])
    return (rows * columns).reshape([a * b for a, b in zip(first, second)])  # noqa: B905


def wanting(tensor, *others):
    """The tensor, with a gradient of its own where another has one: OneFlow's kernels may end the process else."""
    if tensor.requires_grad or not oneflow.is_grad_enabled() or not any(other.requires_grad for other in others):
        return tensor
    return tensor.detach().requires_grad_()


@family("torch.cross torch.Tensor.cross", "input self")
@rule(torch.cross)
def cross(input, other, dim=None):
    if dim is None:
        dim = [axis for axis in range(input.ndim) if input.shape[axis] == 3][0]  # noqa: RUF015
    return oneflow.linalg.cross(wanting(input, other), wanting(other, input), dim=dim)


@rule(torch.matrix_power, torch.Tensor.matrix_power, torch.linalg.matrix_power)
def matrix_power(input, n):
    if 0 in input.shape:
        return input.clone()
    base, left = (oneflow.linalg.inv(input), -n) if n < 0 else (input, n)
    product = oneflow.eye(input.shape[-1], dtype=input.dtype, device=input.device).expand(input.shape)
    while left:
        if left % 2:
            product = oneflow.matmul(product, base)
        base, left = oneflow.matmul(base, base), left // 2
    return product


@rule(torch.cdist)
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    apart = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    if p == 2:
        squares = oneflow.sum(apart * apart, -1)
        equal = squares == 0  # where the root has no gradient
        return oneflow.sqrt(oneflow.masked_fill(squares, equal, 1.0)) * (1 - equal.to(squares.dtype))
    apart = oneflow.abs(apart)
    if p == 0:
        return oneflow.sum((apart != 0).to(x1.dtype), -1)
    if p == 1:
        return oneflow.sum(apart, -1)
    if p == math.inf:
        return oneflow.amax(apart, -1)
    total = oneflow.sum(oneflow.pow(apart, p), -1)
    equal = total == 0
    return oneflow.pow(oneflow.masked_fill(total, equal, 1.0), 1 / p) * (1 - equal.to(total.dtype))


@rule(torch.pdist)
def pdist(input, p=2.0):
    count = input.shape[0]
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    first = oneflow.tensor([a for a, _ in pairs], dtype=oneflow.int64, device=input.device)
    second = oneflow.tensor([b for _, b in pairs], dtype=oneflow.int64, device=input.device)
    apart = oneflow.index_select(input, 0, first) - oneflow.index_select(input, 0, second)
    return oneflow.linalg.vector_norm(apart, ord=p, dim=1)


@rule(torch.cov, torch.Tensor.cov)
def cov(input, *, correction=1, fweights=None, aweights=None):
    rows = input.reshape(1, -1) if input.ndim < 2 else input
    weights = oneflow.ones(rows.shape[1], dtype=rows.dtype, device=rows.device)
    for given in (fweights, aweights):
        weights = weights if given is None else weights * given.to(rows.dtype)
    total = oneflow.sum(weights)
    away = rows - (oneflow.sum(rows * weights, 1) / total).unsqueeze(1)
    lost = correction if aweights is None else correction * oneflow.sum(weights * aweights.to(rows.dtype)) / total
    found = oneflow.matmul(away * weights, away.transpose(0, 1)) / (total - lost)
    return found.reshape(()) if rows.shape[0] == 1 else found


@rule(torch.corrcoef, torch.Tensor.corrcoef)
def corrcoef(input):
    found = cov(input)
    if found.ndim < 2:
        return found / found
    spread = oneflow.sqrt(oneflow.diagonal(found))
    return oneflow.clamp(found / spread.unsqueeze(1) / spread.unsqueeze(0), -1, 1)


@rule(torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__)
def matmul(input: Rank[1], other: Rank[1]):
    return oneflow.sum(input * other)


@family("3 4")
@rule(torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__)
def matmul(input: Rank[3], other: Rank[1]):
    return oneflow.matmul(input, other.unsqueeze(-1)).squeeze(-1)


@family("3 4")
@rule(torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__)
def matmul(input: Rank[1], other: Rank[3]):
    return oneflow.matmul(input.unsqueeze(0), other).squeeze(-2)


@rule("torch.Tensor.__matmul__:axes")
def product_with_vector(left, right):
    """Of a vector and what may have any number of axes: at most of them OneFlow raises, or ends the process."""
    if left.ndim == 1 and right.ndim == 1:
        return oneflow.sum(left * right)
    if right.ndim == 1 and left.ndim > 2:
        return oneflow.matmul(left, right.unsqueeze(-1)).squeeze(-1)
    if left.ndim == 1 and right.ndim > 2:
        return oneflow.matmul(left.unsqueeze(0), right).squeeze(-2)
    return oneflow.matmul(left, right)


@rule(torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__)
def matmul(input, other: Rank[1]):
    return product_with_vector(input, other)


@rule(torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__)
def matmul(input: Rank[1], other):
    return product_with_vector(input, other)


@rule(torch.matmul, torch.Tensor.matmul)
def matmul(input: Rank[2], other: Rank[1]):
    return oneflow.matmul(input, other)


@rule(torch.matmul, torch.Tensor.matmul)
def matmul(input: Rank[1], other: Rank[2]):
    return oneflow.matmul(input, other)


@rule(torch.Tensor.__matmul__)
def matmul_of_vector(input: Rank[2], other: Rank[1]):
    return input @ other


@rule(torch.Tensor.__matmul__)
def matmul_of_vector(input: Rank[1], other: Rank[2]):
    return input @ other


@rule(torch.Tensor.__matmul__)
def matmul_of_more(input, other):
    return input @ other
