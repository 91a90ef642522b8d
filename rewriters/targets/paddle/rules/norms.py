"""Norms, ranks and powers of matrices."""

import math

import paddle
import torch

from rewriters.rule import Rank, becomes, rule

becomes(torch.linalg.matrix_power, torch.matrix_power, torch.Tensor.matrix_power, paddle.linalg.matrix_power)
becomes(torch.frobenius_norm, paddle.linalg.vector_norm, dim="axis")


@rule(torch.linalg.matrix_exp, torch.matrix_exp, torch.Tensor.matrix_exp)
def matrix_exp(input):
    if input.stop_gradient or input.size == 0:
        return paddle.linalg.matrix_exp(input)
    # Paddle's own writes over what its gradient needs: the power series of the matrix halved, and squared as often
    halvings = max(math.frexp(float(input.detach().abs().sum(-2).max()))[1] - 1, 0)
    total = term = paddle.eye(input.shape[-1], dtype=input.dtype)
    for power in range(1, 26):
        term = term @ input / (power * 2**halvings)
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


@rule(torch.nuclear_norm)
def nuclear_norm(input, dim=(-2, -1), keepdim=False):
    return paddle.linalg.matrix_norm(input, p="nuc", axis=dim, keepdim=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input: Rank[0], p="fro", dim=None, keepdim=False, dtype=None):
    return paddle.norm((input if dtype is None else input.astype(dtype)).reshape([1]), p=2 if p == "fro" else p)
