"""Norms, and inverses: what of torch.linalg OneFlow can."""

import oneflow
import torch

from rewriters.rule import IntTensor, becomes, rule
from rewriters.targets.oneflow.rules.linalg.norms import norm_of, norm_of_matrix

becomes(torch.inverse, torch.Tensor.inverse, oneflow.linalg.inv)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    if p == "nuc":
        return norm_of_matrix(input if dtype is None else input.to(dtype), p, (0, 1) if dim is None else dim, keepdim)
    return norm_of(input if dtype is None else input.to(dtype), 2 if p in ("fro", None) else p, dim, keepdim)


@rule(torch.norm_except_dim)
def norm_except_dim(v, pow=2, dim=0):
    return norm_of(v, pow, [axis for axis in range(v.ndim) if axis != dim], True)


@rule(torch.nuclear_norm)
def nuclear_norm(input, dim=(0, 1), keepdim=False):
    return norm_of_matrix(input, "nuc", dim, keepdim)


@rule(torch.frobenius_norm)
def frobenius_norm(input, dim, keepdim=False):
    return norm_of(input, 2, dim, keepdim)


@rule(torch.renorm, torch.Tensor.renorm)
def renorm(input, p, dim, maxnorm):
    size = norm_of(input, p, [axis for axis in range(input.ndim) if axis != dim % input.ndim], True)
    return input * oneflow.where(size > maxnorm, maxnorm / (size + 1e-7), oneflow.ones_like(size))


@rule(torch.Tensor.renorm_)
def renorm_(self, p, dim, maxnorm):
    self[...] = renorm(self.clone(), p, dim, maxnorm)
    return self


@rule(torch.vander)
def vander(x: IntTensor, N=None, increasing=False):
    powers = range(x.shape[-1] if N is None else N)
    return oneflow.stack([x.long() ** n for n in (powers if increasing else reversed(powers))], -1)


@rule(torch.vander)
def vander(x, N=None, increasing=False):
    powers = range(x.shape[-1] if N is None else N)
    return oneflow.stack([x**n for n in (powers if increasing else reversed(powers))], -1)
