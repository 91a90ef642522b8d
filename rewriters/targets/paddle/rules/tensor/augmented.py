"""Augmented assignments: Paddle's bind the name anew, torch's change the tensor for all who hold it.

Paddle has methods in place for tensors of one dtype; numbers are scale_'s.
"""

import paddle
import torch

from rewriters.rule import BoolTensor, IntTensor, family, rule


@family("iadd isub imul itruediv", "add subtract multiply divide")
@rule(torch.Tensor.__iadd__)
def iadd(self, other: IntTensor | BoolTensor):
    return self.add_(other.astype(self.dtype))


@family("iadd isub imul itruediv", "add subtract multiply divide")
@rule(torch.Tensor.__iadd__)
def iadd(self, other: paddle.Tensor):
    return self.add_(other)


@family("iadd isub imul itruediv", ("(bias=other)", "(bias=-other)", "(other)", "(1 / other)"))
@rule(torch.Tensor.__iadd__, "torch.Tensor.__iadd__:mixed")
def iadd(self, other: int | float):
    return self.scale_(bias=other)


@rule(torch.Tensor.__ifloordiv__)
def ifloordiv(self, other: int | float):
    # by a number, Paddle gives a tensor without an axis one
    return paddle.assign(self // paddle.full([], other, dtype=self.dtype), self)


@rule(torch.Tensor.__ifloordiv__)
def ifloordiv(self, other):
    return paddle.assign(self.clone() // other, self)


@rule(torch.Tensor.__imod__)
def imod(self, other):
    return paddle.assign(self.clone() % other, self)


@rule(torch.Tensor.__ipow__)
def ipow(self, other):
    return paddle.assign(self.clone() ** other, self)


@rule(torch.Tensor.__iand__)
def iand(self, other: paddle.Tensor):
    return paddle.assign(self.clone() & other, self)


@rule(torch.Tensor.__iand__)
def iand(self, other: bool | int):
    return paddle.assign(self.clone() & paddle.full_like(self, other), self)


@rule(torch.Tensor.__ior__)
def ior(self, other: paddle.Tensor):
    return paddle.assign(self.clone() | other, self)


@rule(torch.Tensor.__ior__)
def ior(self, other: bool | int):
    return paddle.assign(self.clone() | paddle.full_like(self, other), self)


@rule(torch.Tensor.__ixor__)
def ixor(self, other: paddle.Tensor):
    return paddle.assign(self.clone() ^ other, self)


@rule(torch.Tensor.__ixor__)
def ixor(self, other: bool | int):
    return paddle.assign(self.clone() ^ paddle.full_like(self, other), self)


@rule(torch.Tensor.__ilshift__)
def ilshift(self, other: paddle.Tensor):
    return paddle.assign(self.clone() << other, self)


@rule(torch.Tensor.__ilshift__)
def ilshift(self, other: bool | int):
    return paddle.assign(self.clone() << paddle.full_like(self, other), self)


@rule(torch.Tensor.__irshift__)
def irshift(self, other: paddle.Tensor):
    return paddle.assign(self.clone() >> other, self)


@rule(torch.Tensor.__irshift__)
def irshift(self, other: bool | int):
    return paddle.assign(self.clone() >> paddle.full_like(self, other), self)


@family(
    "iadd isub imul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift",
    "add sub mul truediv floordiv mod pow and or xor lshift rshift",
    "+ - * / // % ** & | ^ << >>",
)
@rule("torch.Tensor.__iadd__:any")
def add_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return iadd(value, other)
    value += other
    return value
