"""In-place forms with another tensor that OneFlow lacks: computed of clones and written over the old values."""

import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.arithmetic import floor_divide, remainder, truncated
from rewriters.targets.oneflow.rules.promotion_of_operators import (  # noqa: F401 - of families
    promoted_add,
    promoted_mul,
    promoted_pow,
    promoted_sub,
    promoted_truediv,
    sum_of_bytes,
)


@rule(torch.Tensor.sub_, torch.Tensor.subtract_)
def sub_(self, other, *, alpha=1):
    if alpha == 1:
        return self.sub_(other)
    return self.sub_(alpha * other)


@family("multiply mul true_divide", "mul mul div")
@rule(torch.Tensor.multiply_)
def multiply_(self, other):
    return self.mul_(other)


@rule(torch.Tensor.mul_)
def mul_(self, other: int | float):
    return self.mul_(other)


@rule(torch.Tensor.div_, torch.Tensor.divide_)
def div_(self, other, *, rounding_mode=None):
    if rounding_mode is None:
        return self.div_(other)
    self[...] = (floor_divide if rounding_mode == "floor" else truncated)(self.clone(), other)
    return self


@rule(torch.Tensor.floor_divide_, torch.Tensor.__ifloordiv__)
def floor_divide_(self, other):
    self[...] = floor_divide(self.clone(), other)
    return self


@rule(torch.Tensor.remainder_, torch.Tensor.__imod__)
def remainder_(self, other):
    self[...] = remainder(self.clone(), other)
    return self


@rule(torch.Tensor.fmod_)
def fmod_(self, other):
    self[...] = oneflow.fmod(self.clone(), other)
    return self


@rule(torch.Tensor.pow_, torch.Tensor.__ipow__)
def pow_(self, exponent):
    self[...] = promoted_pow(self.clone(), exponent)
    return self


@rule(torch.Tensor.float_power_)
def float_power_(self, exponent):
    self[...] = self.clone() ** exponent
    return self


@rule(torch.Tensor.atan2_, torch.Tensor.arctan2_)
def atan2_(self, other):
    self[...] = oneflow.atan2(*oneflow.broadcast_tensors(self.clone(), other))
    return self


@rule(torch.Tensor.hypot_)
def hypot_(self, other):
    old = self.clone()
    self[...] = oneflow.sqrt(old * old + other * other)
    return self


@rule(torch.Tensor.heaviside_)
def heaviside_(self, values):
    old, values = oneflow.broadcast_tensors(self.clone(), values)
    step = oneflow.where(old == 0, values, (old > 0).to(old.dtype))
    self[...] = oneflow.where(oneflow.isnan(old), oneflow.zeros_like(old), step)
    return self


@rule(torch.Tensor.ldexp_)
def ldexp_(self, other):
    self[...] = self.clone() * oneflow.pow(2.0, other)
    return self


@rule(torch.Tensor.lerp_)
def lerp_(self, end, weight):
    old = self.clone()
    self[...] = old + weight * (end - old)
    return self


@rule(torch.Tensor.eq_)
def eq_(self, other):
    self[...] = (self == other).to(self.dtype)
    return self


@rule(torch.Tensor.ne_, torch.Tensor.not_equal_)
def ne_(self, other):
    self[...] = (self != other).to(self.dtype)
    return self


@family("lt le gt ge", "less_ less_equal_ greater_ greater_equal_", "< <= > >=")
@rule(torch.Tensor.lt_, torch.Tensor.less_)
def lt_(self, other):
    self[...] = (self < other).to(self.dtype)
    return self


@family("and or xor")
@rule(torch.Tensor.logical_and_)
def logical_and_(self, other):
    self[...] = oneflow.logical_and(self, other).to(self.dtype)
    return self


@rule(torch.Tensor.clamp_, torch.clamp_, torch.Tensor.clip_, torch.clip_)
def clamp_(self, min: int | float | None = None, max: int | float | None = None):
    return self.clamp_(min=min, max=max)


@rule(torch.Tensor.clamp_, torch.clamp_, torch.Tensor.clip_, torch.clip_)
def clamp_(self, min=None, max=None):
    old = self.clone()
    if min is not None:
        old = oneflow.maximum(old, min) if isinstance(min, oneflow.Tensor) else oneflow.clamp(old, min=min)
    if max is not None:
        old = oneflow.minimum(old, max) if isinstance(max, oneflow.Tensor) else oneflow.clamp(old, max=max)
    self[...] = old
    return self


@family("min max")
@rule(torch.Tensor.clamp_min_, torch.clamp_min_)
def clamp_min_(self, min: int | float):
    return self.clamp_(min=min)


@family("min max", "maximum minimum")
@rule(torch.Tensor.clamp_min_, torch.clamp_min_)
def clamp_min_(self, min: oneflow.Tensor):
    self[...] = oneflow.maximum(self.clone(), min)
    return self


@rule(torch.Tensor.copysign_)
def copysign_(self, other):
    if not isinstance(other, oneflow.Tensor):
        other = oneflow.full_like(self, float(other))
    old = self.clone()
    negative = (other < 0) | ((other == 0) & (1 / other < 0))
    self[...] = oneflow.abs(old) * (1 - 2 * negative.to(old.dtype))
    return self


@rule(torch.Tensor.xlogy_, torch.xlogy_)
def xlogy_(self, other):
    if not isinstance(other, oneflow.Tensor):
        other = oneflow.full_like(self, float(other))
    old, other = oneflow.broadcast_tensors(self.clone(), other)
    unused = (old == 0) & oneflow.logical_not(oneflow.isnan(other))
    self[...] = old * oneflow.log(oneflow.masked_fill(other, unused, 1.0))
    return self


@rule(torch.Tensor.logit_, torch.logit_)
def logit_(self, eps=None):
    old = self.clone() if eps is None else oneflow.clamp(self.clone(), eps, 1 - eps)
    self[...] = oneflow.log(old / (1 - old))
    return self


@rule(torch.Tensor.round_, torch.round_)
def round_(self, *, decimals=0):
    self[...] = oneflow.round(self * 10.0**decimals) / 10.0**decimals if decimals else oneflow.round(self.clone())
    return self


# As torch's these change the tensor; OneFlow's `x.data += y` stores its data anew, and takes its gradient away.
@family("iadd isub imul itruediv", "add sub mul div")
@rule("torch.Tensor.__iadd__:data")
def iadd_data(self, other):
    return self.add_(other)


@rule("torch.Tensor.__iadd__:bytes", "torch.Tensor.add_:bytes")
def iadd_bytes(self, other, *, alpha=1):
    self[...] = sum_of_bytes(self, other, alpha=alpha).to(self.dtype)
    return self


# Of several dtypes, or of truth values, where others hold what changes.
@family("iadd isub imul itruediv", "add sub mul truediv")
@rule("torch.Tensor.__iadd__:held")
def iadd_held(self, other):
    changed = promoted_add(self, other)
    if isinstance(self, oneflow.Tensor):
        self[...] = changed.to(self.dtype)
        return self
    return changed
