"""torch: operations on the bits of integers."""

import numpy
import oneflow
import torch

from rewriters.rule import BoolTensor, IntTensor, family, rule
from rewriters.targets.oneflow.rules.promoted_dtypes import alike, result_type


@family("and or xor", "iand ior ixor")
@rule(torch.Tensor.bitwise_and_, torch.Tensor.__iand__)
def bitwise_and_(self, other):
    self[...] = bitwise_and(self, other).to(self.dtype)
    return self


@family("left right", "ilshift irshift")
@rule(torch.Tensor.bitwise_left_shift_, torch.Tensor.__ilshift__)
def bitwise_left_shift_(self, other):
    self[...] = bitwise_left_shift(self, other).to(self.dtype)
    return self


@rule(torch.bitwise_not, torch.Tensor.bitwise_not, torch.Tensor.__invert__)
def bitwise_not(input: IntTensor):
    return -1 - input


@rule(torch.Tensor.bitwise_not, torch.bitwise_not)
def bitwise_not(input: BoolTensor):
    return ~input


@rule(torch.Tensor.bitwise_not_)
def bitwise_not_(self):
    self[...] = bitwise_not(self.clone())
    return self


# Integers have no gradient that would be lost in numpy, and OneFlow has no function of bits.
def by_bits(function, left, right):
    left, right = alike(left, right)
    device = (left if isinstance(left, oneflow.Tensor) else right).device
    parts = [part.numpy() if isinstance(part, oneflow.Tensor) else part for part in (left, right)]
    return oneflow.tensor(function(*parts), dtype=result_type(left, right), device=device)


@rule("torch.Tensor.__and__:mixed", torch.bitwise_and, torch.Tensor.bitwise_and)
def bitwise_and(input, other):
    return input & other if is_of_bools(input, other) else by_bits(numpy.bitwise_and, input, other)


@rule("torch.Tensor.__or__:mixed", torch.bitwise_or, torch.Tensor.bitwise_or)
def bitwise_or(input, other):
    return input | other if is_of_bools(input, other) else by_bits(numpy.bitwise_or, input, other)


@rule("torch.Tensor.__xor__:mixed", torch.bitwise_xor, torch.Tensor.bitwise_xor)
def bitwise_xor(input, other):
    return input ^ other if is_of_bools(input, other) else by_bits(numpy.bitwise_xor, input, other)


@family("lshift rshift", "left right")
@rule(
    "torch.Tensor.__lshift__:mixed",
    torch.Tensor.__lshift__,
    torch.bitwise_left_shift,
    torch.Tensor.bitwise_left_shift,
)
def bitwise_left_shift(input, other):
    return by_bits(numpy.left_shift, input, other)


def is_of_bools(left, right):
    tensors = [v for v in (left, right) if isinstance(v, oneflow.Tensor)]
    numbers = [v for v in (left, right) if not isinstance(v, oneflow.Tensor)]
    return bool(tensors) and all(v.dtype == oneflow.bool for v in tensors) and all(isinstance(v, bool) for v in numbers)
