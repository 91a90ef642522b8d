"""Products of vectors and matrices."""

import jax.numpy as jnp
import torch

from rewriters.rule import becomes, family, rule
from rewriters.targets.jax.rules.slopes import absolute

becomes(torch.dot, torch.Tensor.dot, jnp.dot)
becomes(torch.matmul, torch.Tensor.matmul, torch.linalg.matmul, jnp.matmul)
becomes(torch.vdot, torch.Tensor.vdot, jnp.vdot)
becomes(torch.inner, torch.Tensor.inner, jnp.inner)
becomes(torch.outer, torch.Tensor.outer, torch.ger, torch.Tensor.ger, jnp.outer)
becomes(torch.kron, torch.Tensor.kron, jnp.kron)
becomes(torch.corrcoef, torch.Tensor.corrcoef, jnp.corrcoef)


@family("mm bmm")
@rule(torch.mm, torch.Tensor.mm)
def mm(input, mat2, out_dtype=None):
    return input @ mat2 if out_dtype is None else jnp.matmul(input, mat2, preferred_element_type=out_dtype)


@rule(torch.spmm, torch.dsmm, torch.sparse.mm)
def spmm(mat1, mat2):
    return mat1 @ mat2


@rule(torch.mv, torch.Tensor.mv)
def mv(input, vec):
    return input @ vec


@rule(torch.chain_matmul)
def chain_matmul(*matrices):
    return jnp.linalg.multi_dot(matrices)


@rule(torch.tensordot)
def tensordot(a, b, dims=2):
    if hasattr(dims, "tolist"):
        dims = dims.tolist()
    return jnp.tensordot(a, b, dims)


@rule(torch.cross, torch.Tensor.cross)
def cross(input, other, dim=None):
    if dim is None:  # torch takes the first axis of three
        dim = next(n for n, size in enumerate(input.shape) if size == 3)
    return jnp.cross(input, other, axis=dim)


@rule(torch.einsum)
def einsum(equation: str, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return jnp.einsum(equation, *operands)


def scaled(product, input, alpha, beta):
    """beta * input + alpha * product; what is multiplied by 0 does not count, whatever it is."""
    product = product if alpha == 1 else alpha * product
    if beta == 0:
        return product
    return (input if beta == 1 else beta * input) + product


@rule(torch.addmm, torch.Tensor.addmm)
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    return scaled(mat1 @ mat2, input, alpha, beta).astype(input.dtype)


@rule(torch.addmv, torch.Tensor.addmv)
def addmv(input, mat, vec, *, beta=1, alpha=1):
    return scaled(mat @ vec, input, alpha, beta).astype(input.dtype)


@rule(torch.addr, torch.Tensor.addr)
def addr(input, vec1, vec2, *, beta=1, alpha=1):
    return scaled(jnp.outer(vec1, vec2), input, alpha, beta)


@rule(torch.baddbmm, torch.Tensor.baddbmm)
def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return scaled(batch1 @ batch2, input, alpha, beta).astype(input.dtype)


@rule(torch.addbmm, torch.Tensor.addbmm)
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return scaled((batch1 @ batch2).sum(0), input, alpha, beta).astype(input.dtype)


@rule(torch.cdist)
def cdist(x1, x2, p=2.0, compute_mode=None):
    return distances(x1[..., :, None, :] - x2[..., None, :, :], p)


@rule(torch.pdist, torch.nn.functional.pdist)
def pdist(input, p=2.0):
    rows, columns = jnp.triu_indices(input.shape[0], 1)
    return distances(input[rows] - input[columns], p)


def distances(differences, p):
    """Norms of the last axis, with no gradient where they are 0."""
    apart = absolute(differences)
    if p == 0:
        return (apart != 0).sum(-1).astype(apart.dtype)
    if p == 1:
        return apart.sum(-1)
    if p == float("inf"):
        return apart.max(-1, initial=0)
    none = (apart == 0).all(-1, keepdims=True)
    powers = jnp.where(none, 1, apart)
    # at 0 powers below 1 have no gradient
    powers = jnp.where(powers == 0, 0, jnp.where(powers == 0, 1, powers) ** p)
    return jnp.where(none[..., 0], 0, powers.sum(-1) ** (1 / p))


@rule(torch.dist, torch.Tensor.dist)
def dist(input, other, p=2):
    return distances((input - other).reshape(-1), p)


@rule(torch.trapezoid, torch.trapz)
def trapezoid(y, x=None, *, dx=1, dim=-1):
    return jnp.trapezoid(y, x, 1 if dx is None else dx, dim)


@rule(torch.cumulative_trapezoid)
def cumulative_trapezoid(y, x=None, *, dx=1, dim=-1):
    rows = jnp.moveaxis(y, dim, -1)
    steps = (1 if dx is None else dx) if x is None else jnp.diff(x if x.ndim == 1 else jnp.moveaxis(x, dim, -1))
    return jnp.moveaxis(jnp.cumsum((rows[..., 1:] + rows[..., :-1]) / 2 * steps, axis=-1), -1, dim)


@rule(torch.cov, torch.Tensor.cov)
def cov(input, *, correction=1, fweights=None, aweights=None):
    return jnp.cov(input, ddof=correction, fweights=fweights, aweights=aweights)


@rule(torch.renorm, torch.Tensor.renorm)
def renorm(input, p, dim, maxnorm):
    rows = jnp.moveaxis(input, dim, 0)
    norms = jnp.linalg.norm(rows.reshape(rows.shape[0], -1), ord=p, axis=1)
    scale = jnp.where(norms > maxnorm, maxnorm / (norms + 1e-7), 1)
    return jnp.moveaxis(rows * scale.reshape(-1, *[1] * (rows.ndim - 1)), 0, dim)
