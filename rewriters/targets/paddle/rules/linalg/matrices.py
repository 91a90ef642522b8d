"""torch.linalg: matrices made of, and taken out of, others."""

import paddle
import torch

from rewriters.rule import IntTensor, Rank, rule


@rule(torch.linalg.vander)
def vander(x: Rank[0], *, N=None):
    return paddle.vander(x.reshape([1]), n=N, increasing=True)


@rule(torch.linalg.vander)
def linalg_vander(x: IntTensor, *, N=None):
    x = paddle.atleast_1d(x).astype("int64")
    return x.unsqueeze(-1) ** paddle.arange(x.shape[-1] if N is None else N)


@rule(torch.linalg.vander)
def linalg_vander(x, *, N=None):
    return x.unsqueeze(-1) ** paddle.arange(x.shape[-1] if N is None else N, dtype=x.dtype)


@rule(torch.linalg.diagonal)
def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return paddle.diagonal(A, offset=offset, axis1=dim1, axis2=dim2)
