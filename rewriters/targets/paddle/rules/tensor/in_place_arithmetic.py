"""In-place forms of two tensors: arithmetic, comparison, logic. Comparisons keep the first one's dtype."""

import paddle
import torch

from rewriters.rule import becomes, family, rule
from rewriters.targets.paddle.rules.arithmetic import gamma_share

becomes(torch.Tensor.hypot_, paddle.Tensor.hypot_)


@rule(torch.Tensor.add_)
def add_(self, other: paddle.Tensor, *, alpha=1):
    return self.add_(other, alpha=alpha)


@rule(torch.Tensor.add_, "torch.Tensor.add_:mixed")
def add_(self, other: int | float, *, alpha=1):
    return self.scale_(bias=other * alpha)


@rule(torch.Tensor.sub_, torch.Tensor.subtract_)
def sub_(self, other: paddle.Tensor, *, alpha=1):
    return self.subtract_(other, alpha=alpha)


@rule(torch.Tensor.sub_, torch.Tensor.subtract_, "torch.Tensor.sub_:mixed", "torch.Tensor.subtract_:mixed")
def sub_(self, other: int | float, *, alpha=1):
    return self.scale_(bias=-other * alpha)


@rule(torch.Tensor.mul_, torch.Tensor.multiply_)
def mul_(self, other: paddle.Tensor):
    return self.multiply_(other)


@rule(torch.Tensor.mul_, torch.Tensor.multiply_, "torch.Tensor.mul_:mixed", "torch.Tensor.multiply_:mixed")
def mul_(self, other: int | float):
    return self.scale_(other)


@rule(torch.Tensor.div_, torch.Tensor.divide_)
def div_(self, other: paddle.Tensor, *, rounding_mode=None):
    if rounding_mode is None:
        return self.divide_(other)
    return self.divide_(other, rounding_mode=rounding_mode)


@rule(torch.Tensor.div_, torch.Tensor.divide_, "torch.Tensor.div_:mixed", "torch.Tensor.divide_:mixed")
def div_(self, other: int | float, *, rounding_mode=None):
    if rounding_mode is None:
        return self.scale_(1 / other)
    return paddle.assign(
        paddle.divide(self, paddle.full([], other, dtype=self.dtype), rounding_mode=rounding_mode), self
    )


@rule(torch.Tensor.true_divide_)
def true_divide_(self, other):
    return paddle.assign(self.clone() / other, self)


@rule(torch.Tensor.floor_divide_)
def floor_divide_(self, other: int | float):
    # by a number, Paddle gives a tensor without an axis one
    return paddle.assign(self // paddle.full([], other, dtype=self.dtype), self)


@rule(torch.Tensor.floor_divide_)
def floor_divide_(self, other):
    return paddle.assign(self.clone() // other, self)


@rule(torch.Tensor.remainder_)
def remainder_(self, other):
    return paddle.assign(self.clone() % other, self)


@family("pow float_power")
@rule(torch.Tensor.pow_)
def pow_(self, exponent):
    return paddle.assign(self.clone() ** exponent, self)


@rule(torch.Tensor.atan2_, torch.Tensor.arctan2_)
def atan2_(self, other):
    return paddle.assign(paddle.atan2(self.clone(), other), self)


@rule(torch.Tensor.heaviside_)
def heaviside_(self, values):
    return paddle.assign(paddle.heaviside(self.clone(), values), self)


@rule(torch.ldexp_, torch.Tensor.ldexp_)
def ldexp_(input, other):
    return paddle.assign(input.clone() * 2.0**other, input)


@rule(torch.Tensor.nextafter_)
def nextafter_(self, other):
    return paddle.assign(paddle.nextafter(self, other), self)


@family("igamma igammac", "gammainc gammaincc", "1.0 0.0")
@rule(torch.Tensor.igamma_)
def igamma_(self, other):
    return paddle.assign(gamma_share(paddle.gammainc, self.clone(), other, 1.0), self)


@rule(torch.Tensor.copysign_)
def copysign_(self, other: paddle.Tensor):
    return self.copysign_(other)


@rule(torch.Tensor.copysign_)
def copysign_(self, other: int | float):
    return self.copysign_(paddle.full_like(self, other))


@rule(torch.Tensor.fmod_)
def fmod_(self, other: int | float):
    return paddle.assign(paddle.sign(self) * (paddle.abs(self.clone()) % abs(other)), self)


@rule(torch.Tensor.fmod_)
def fmod_(self, other: paddle.Tensor):
    return paddle.assign(paddle.sign(self) * paddle.remainder(paddle.abs(self.clone()), paddle.abs(other)), self)


@family("gcd lcm")
@rule(torch.gcd_, torch.Tensor.gcd_)
def gcd_(input, other):
    return input.gcd_(other)


@rule(torch.xlogy_, torch.Tensor.xlogy_)
def xlogy_(input, other):
    kept = input.clone()
    other = other if isinstance(other, paddle.Tensor) else paddle.full_like(kept, other)
    value = paddle.where((kept == 0) & ~paddle.isnan(other), paddle.zeros_like(kept), kept * paddle.log(other))
    return paddle.assign(value, input)


@rule(torch.Tensor.lerp_)
def lerp_(self, end, weight):
    return paddle.assign(self + weight * (end - self), self)


@rule(torch.Tensor.addcmul_)
def addcmul_(self, tensor1, tensor2, *, value=1):
    return self.add_(tensor1 * tensor2) if value == 1 else self.add_(value * tensor1 * tensor2)


@rule(torch.Tensor.addcdiv_)
def addcdiv_(self, tensor1, tensor2, *, value=1):
    return self.add_(tensor1 / tensor2) if value == 1 else self.add_(value * (tensor1 / tensor2))


@rule(torch.Tensor.eq_)
def eq_(self, other):
    return paddle.assign((self == other).astype(self.dtype), self)


@rule(torch.Tensor.ne_, torch.Tensor.not_equal_)
def ne_(self, other):
    return paddle.assign((self != other).astype(self.dtype), self)


@family("lt le gt ge", "less_ less_equal_ greater_ greater_equal_", "< <= > >=")
@rule(torch.Tensor.lt_, torch.Tensor.less_)
def lt_(self, other):
    return paddle.assign((self < other).astype(self.dtype), self)


@family("and or xor")
@rule(torch.Tensor.logical_and_)
def logical_and_(self, other):
    return paddle.assign(paddle.logical_and(self, other).astype(self.dtype), self)


@rule(torch.Tensor.logical_not_)
def logical_not_(self):
    return paddle.assign(paddle.logical_not(self).astype(self.dtype), self)


@rule(torch.Tensor.copy_)
def copy_(self, src, non_blocking=False):
    if self.ndim != 0 and self.ndim < 7:  # Paddle stores to no others by an index
        self[...] = src
        return self
    return paddle.assign(paddle.expand_as(src.astype(self.dtype), self), self)
