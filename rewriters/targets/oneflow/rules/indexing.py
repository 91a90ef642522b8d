"""torch: items, conditions and places of what is not zero."""

import oneflow
import torch

from rewriters.rule import FloatTensor, IntTensor, Rank, becomes, family, rule
from rewriters.targets.oneflow.rules.promoted_dtypes import alike, filled

becomes(torch.argwhere, torch.Tensor.argwhere, oneflow.nonzero)


@rule(torch.masked_select, torch.Tensor.masked_select)
def masked_select(input, mask):
    return oneflow.masked_select(input, mask)


@rule(torch.where)
def where(condition):
    return oneflow.nonzero(condition, as_tuple=True)


@rule(torch.where)
def where(condition, input: FloatTensor, other: int | float):
    return oneflow.where(condition, input, oneflow.full_like(input, other))


@rule(torch.where)
def where(condition, input: IntTensor, other: int):
    return oneflow.where(condition, input, oneflow.full_like(input, other))


@rule(torch.where)
def where(condition, input: int | float, other: FloatTensor):
    return oneflow.where(condition, oneflow.full_like(other, input), other)


@rule(torch.where)
def where(condition, input: int, other: IntTensor):
    return oneflow.where(condition, oneflow.full_like(other, input), other)


@rule(torch.where)
def where(condition, input: oneflow.Tensor, other: oneflow.Tensor):
    return oneflow.where(condition, input, other)


@family("int float")
@rule(torch.where)
def where(condition, input: int, other: int):
    return oneflow.where(condition, input, other)


@rule(torch.where)
def where(condition, input: int | float, other: int | float):
    if isinstance(input, int) and isinstance(other, int):
        return oneflow.where(condition, input, other)
    return oneflow.where(condition, float(input), float(other))  # OneFlow refuses one of each


@rule(torch.Tensor.where)
def where_method(self, condition, other: oneflow.Tensor):
    return oneflow.where(condition, self, other)


@rule(torch.Tensor.where)
def where_method(self: FloatTensor, condition, other: int | float):
    return oneflow.where(condition, self, oneflow.full_like(self, other))


@rule(torch.nonzero_static, torch.Tensor.nonzero_static)
def nonzero_static(input, *, size, fill_value=-1):
    found = oneflow.nonzero(input)[:size]
    missing = size - found.shape[0]
    rest = oneflow.zeros((missing, input.ndim), dtype=oneflow.int64, device=input.device) + fill_value
    return oneflow.cat([found, rest]) if missing else found


@rule(torch.masked_select, torch.Tensor.masked_select)
def masked_select(input: Rank[0], mask: Rank[0]):
    return oneflow.masked_select(input.reshape(1), mask.reshape(1))


@rule("torch.where:mixed", torch.where)
def promoted_where(condition, input, other):
    return oneflow.where(condition, *filled(*alike(input, other)))


@rule("torch.Tensor.where:mixed", torch.Tensor.where)
def promoted_where_method(self, condition, other):
    return oneflow.where(condition, *filled(*alike(self, other)))
