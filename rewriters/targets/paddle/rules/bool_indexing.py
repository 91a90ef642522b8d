"""Truth values where Paddle's functions take numbers."""

import paddle
import torch

from rewriters.rule import BoolTensor, rule


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: BoolTensor, dim, index, src: BoolTensor):
    return paddle.put_along_axis(input.astype("int32"), index, src.astype("int32"), dim, broadcast=False).astype("bool")


@rule(torch.gather, torch.Tensor.gather)
def gather(input: BoolTensor, dim, index, *, sparse_grad=False):
    return paddle.take_along_axis(input.astype("int32"), index, dim, broadcast=False).astype("bool")


@rule(torch.take_along_dim, torch.Tensor.take_along_dim)
def take_along_dim(input: BoolTensor, indices, dim: int):
    return paddle.take_along_axis(input.astype("int32"), indices, dim).astype("bool")
