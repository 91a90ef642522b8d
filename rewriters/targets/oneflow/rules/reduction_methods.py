"""Reductions called as methods, where OneFlow's method is the same; they answer before reductions.py."""

import oneflow
import torch

from rewriters.rule import Rank, Values, rule


@rule(torch.sum, torch.Tensor.sum)
def sum_of_one(input: Rank[0]):
    return oneflow.sum(input.reshape(1))  # without axes OneFlow keeps bool and int32


@rule("torch.sum:counted", "torch.Tensor.sum:counted")
def sum_of_truths(input):
    return oneflow.sum(input).to(oneflow.int64)  # without axes OneFlow keeps bool and int32


@rule("torch.Tensor.sum:truths")
def sum_of_truths_method(self):
    return self.long().sum()  # without axes OneFlow keeps bool


@rule("torch.sum:truths")
def sum_of_truths_of(input):
    return oneflow.sum(input.long())


@rule("torch.sum:apart", "torch.Tensor.sum:apart")
def sum_apart(input):
    return oneflow.sum(input).clone()  # without axes it lies in the tensor's own memory


@rule("torch.mean:apart", "torch.Tensor.mean:apart")
def mean_apart(input):
    return oneflow.mean(input).clone()


@rule(torch.Tensor.sum)
def sum_method(self):
    return self.sum()


@rule(torch.Tensor.sum)
def sum_method(self, dim: int | list | tuple):  # noqa: F811
    return self.sum(dim)


@rule(torch.Tensor.sum)
def sum_method(self, dim: int | list | tuple, keepdim):  # noqa: F811
    return self.sum(dim, keepdim)


@rule(torch.Tensor.max)
def max_method(self):
    return self.max()


@rule(torch.Tensor.max)
def max_method(self, dim: int):  # noqa: F811
    if dim == 0 and self.ndim == 0:
        return Values(self.clone(), oneflow.zeros_like(self, dtype=oneflow.int64))
    return self.max(dim)


@rule(torch.Tensor.min)
def min_method(self):
    return self.min()


@rule(torch.Tensor.min)
def min_method(self, dim: int):  # noqa: F811
    if dim == 0 and self.ndim == 0:
        return Values(self.clone(), oneflow.zeros_like(self, dtype=oneflow.int64))
    return self.min(dim)


@rule(torch.Tensor.argmax)
def argmax_method(self, dim: int):
    return self.argmax(dim)


@rule(torch.Tensor.argmin)
def argmin_method(self, dim: int):
    return self.argmin(dim)


@rule(torch.Tensor.all)
def all_method(self):
    return self.all()


@rule(torch.Tensor.any)
def any_method(self):
    return self.any()
