"""Tensors without an axis and vectors where OneFlow refuses them, or ends the process over them: where it is known.

These overloads answer before the general ones, whose files come later. Where the rank is not known the call is
OneFlow's own.
"""

import oneflow
import torch

from rewriters.rule import Rank, Values, rule


@rule(torch.topk, torch.Tensor.topk)
def topk(input: Rank[0], k, dim=-1, largest=True, sorted=True):
    return Values(input.clone(), oneflow.zeros_like(input, dtype=oneflow.int64))


@rule(torch.argsort, torch.Tensor.argsort)
def argsort(input: Rank[0], dim=-1, descending=False, *, stable=False):
    return oneflow.zeros_like(input, dtype=oneflow.int64)


@rule(torch.argmax, torch.Tensor.argmax, torch.argmin, torch.Tensor.argmin)
def argmax(input: Rank[0], dim=None, keepdim=False):
    return oneflow.zeros_like(input, dtype=oneflow.int64)


@rule(torch.squeeze, torch.Tensor.squeeze)
def squeeze(input: Rank[0], dim=None):
    return input.reshape(())


@rule(torch.squeeze_copy)
def squeeze_copy(input: Rank[0], dim=None):
    return input.clone()


@rule(torch.nn.functional.softmax, torch.softmax, torch.Tensor.softmax)
def softmax(input: Rank[0], dim=None, dtype=None):
    if dtype is None:
        return oneflow.exp(input - input)
    return oneflow.exp(input - input).to(dtype)


@rule(torch.nn.functional.log_softmax, torch.log_softmax, torch.Tensor.log_softmax)
def log_softmax(input: Rank[0], dim=None, dtype=None):
    if dtype is None:
        return input - input
    return (input - input).to(dtype)


@rule("torch.nn.LogSoftmax:call")
def log_softmax_of_one_number(self, input: Rank[0]):
    return input - input


@rule(torch.index_select, torch.Tensor.index_select)
def index_select(input: Rank[0], dim, index):
    return input.clone()


@rule(torch.index_select, torch.Tensor.index_select)
def index_select(input, dim, index: Rank[0]):  # noqa: F811
    return oneflow.index_select(input, dim, index.reshape(1))


@rule(torch.masked_select, torch.Tensor.masked_select)
def masked_select(input: Rank[0], mask: Rank[0]):
    return oneflow.masked_select(input.reshape(1), mask.reshape(1))


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: Rank[0], dim, index, src: Rank[0]):
    return oneflow.scatter(input.reshape(1), 0, index.reshape(1), src.reshape(1)).reshape(())


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input: Rank[0], dim, index, value: int | float):  # noqa: F811
    return oneflow.scatter(input.reshape(1), 0, index.reshape(1), value).reshape(())


@rule(torch.matmul, torch.Tensor.matmul, "torch.Tensor.__matmul__")
def matmul(input: Rank[1], other: Rank[1]):
    return oneflow.sum(input * other)


@rule(torch.matmul, torch.Tensor.matmul, "torch.Tensor.__matmul__")
def matmul(input: Rank[3], other: Rank[1]):  # noqa: F811
    return oneflow.matmul(input, other.unsqueeze(-1)).squeeze(-1)


@rule(torch.matmul, torch.Tensor.matmul, "torch.Tensor.__matmul__")
def matmul(input: Rank[4], other: Rank[1]):  # noqa: F811
    return oneflow.matmul(input, other.unsqueeze(-1)).squeeze(-1)


@rule(torch.matmul, torch.Tensor.matmul, "torch.Tensor.__matmul__")
def matmul(input: Rank[1], other: Rank[3]):  # noqa: F811
    return oneflow.matmul(input.unsqueeze(0), other).squeeze(-2)


@rule(torch.matmul, torch.Tensor.matmul, "torch.Tensor.__matmul__")
def matmul(input: Rank[1], other: Rank[4]):  # noqa: F811
    return oneflow.matmul(input.unsqueeze(0), other).squeeze(-2)


@rule("torch.Tensor.__matmul__")
def matmul_of_more(input, other):
    return input @ other


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(
    input: Rank[1], target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
    label_smoothing=0.0,
):  # fmt: skip
    if weight is not None or label_smoothing or reduction == "none" or size_average is not None or reduce is not None:
        raise NotImplementedError("OneFlow's takes batches; give input and target a first axis of one")
    return oneflow.nn.functional.cross_entropy(
        input.unsqueeze(0), target.unsqueeze(0), ignore_index=ignore_index, reduction=reduction
    )


@rule("torch.nn.CrossEntropyLoss:call")
def cross_entropy_of_one(self, input: Rank[1], target):
    return self(input.unsqueeze(0), target.unsqueeze(0)).reshape(())


@rule(torch.nn.functional.linear)
def linear(input: Rank[1], weight, bias=None):
    return oneflow.nn.functional.linear(input.unsqueeze(0), weight, bias).squeeze(0)


@rule("torch.nn.GroupNorm:call")
def group_norm_of_vectors(self, input: Rank[2]):
    return self(input.unsqueeze(-1)).squeeze(-1)
