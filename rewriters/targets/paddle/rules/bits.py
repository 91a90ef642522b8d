"""Bits: of two tensors, and of a tensor and a number, which Paddle's functions do not take."""

import paddle
import torch

from rewriters.rule import IntTensor, family, rule
from rewriters.targets.paddle.rules.promoted_dtypes import alike, filled


@family("and or xor left_shift right_shift")
@rule(torch.bitwise_and, torch.Tensor.bitwise_and)
def bitwise_and(input, other: paddle.Tensor):
    return paddle.bitwise_and(input, other)


@family("and or xor left_shift right_shift")
@rule(torch.bitwise_and, torch.Tensor.bitwise_and)
def bitwise_and(input: IntTensor, other: int):
    return paddle.bitwise_and(input, paddle.full([], other, dtype=input.dtype))


@family("and or xor left_shift right_shift")
@rule(torch.bitwise_and, torch.Tensor.bitwise_and)
def bitwise_and(input: paddle.Tensor, other: int):
    return paddle.bitwise_and(*filled(*alike(input, other)))


@family("and or xor left_shift right_shift")
@rule(torch.bitwise_and)
def bitwise_and(input: int, other: paddle.Tensor):
    return paddle.bitwise_and(*filled(*alike(input, other)))


@family("and or xor left_shift right_shift")
@rule("torch.bitwise_and:mixed", "torch.Tensor.bitwise_and:mixed")
def promoted_bitwise_and(input, other):
    return paddle.bitwise_and(*filled(*alike(input, other)))


@family("and or xor left_shift right_shift")
@rule(torch.Tensor.bitwise_and_)
def bitwise_and_(self, other: paddle.Tensor):
    return self.bitwise_and_(other)


@family("and or xor left_shift right_shift")
@rule(torch.Tensor.bitwise_and_)
def bitwise_and_(self, other: int):
    return self.bitwise_and_(paddle.full([], other, dtype=self.dtype))


@family("and or xor left_shift right_shift")
@rule("torch.Tensor.bitwise_and_:mixed")
def promoted_bitwise_and_(self, other: paddle.Tensor):
    return self.bitwise_and_(other.astype(self.dtype))


@family("and or xor left_shift right_shift")
@rule("torch.Tensor.bitwise_and_:mixed")
def promoted_bitwise_and_(self, other: int | float):
    return self.bitwise_and_(paddle.full([], other, dtype=self.dtype))
