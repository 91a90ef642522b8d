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


@rule(torch.Tensor.__iadd__)
def iadd(self, other: int | float):
    return self.scale_(bias=other)


@rule(torch.Tensor.__isub__)
def isub(self, other: int | float):
    return self.scale_(bias=-other)


@rule(torch.Tensor.__imul__)
def imul(self, other: int | float):
    return self.scale_(other)


@rule(torch.Tensor.__itruediv__)
def itruediv(self, other: int | float):
    return self.scale_(1 / other)


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


@rule("torch.Tensor.__iadd__:any")
def add_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return iadd(value, other)
    value += other
    return value


@rule("torch.Tensor.__isub__:any")
def sub_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return isub(value, other)
    value -= other
    return value


@rule("torch.Tensor.__imul__:any")
def mul_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return imul(value, other)
    value *= other
    return value


@rule("torch.Tensor.__itruediv__:any")
def truediv_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return itruediv(value, other)
    value /= other
    return value


@rule("torch.Tensor.__ifloordiv__:any")
def floordiv_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return ifloordiv(value, other)
    value //= other
    return value


@rule("torch.Tensor.__imod__:any")
def mod_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return imod(value, other)
    value %= other
    return value


@rule("torch.Tensor.__ipow__:any")
def pow_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return ipow(value, other)
    value **= other
    return value


@rule("torch.Tensor.__iand__:any")
def and_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return iand(value, other)
    value &= other
    return value


@rule("torch.Tensor.__ior__:any")
def or_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return ior(value, other)
    value |= other
    return value


@rule("torch.Tensor.__ixor__:any")
def xor_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return ixor(value, other)
    value ^= other
    return value


@rule("torch.Tensor.__ilshift__:any")
def lshift_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return ilshift(value, other)
    value <<= other
    return value


@rule("torch.Tensor.__irshift__:any")
def rshift_in_place(value, other):
    if isinstance(value, paddle.Tensor):
        return irshift(value, other)
    value >>= other
    return value
