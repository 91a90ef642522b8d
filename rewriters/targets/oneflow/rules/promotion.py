"""torch: functions of several dtypes."""

import oneflow
import torch

from rewriters.rule import BoolTensor, IntTensor, family, rule
from rewriters.targets.oneflow.rules.promoted_dtypes import alike, all_alike, filled, floating
from rewriters.targets.oneflow.rules.promotion_of_operators import (
    bitwise_and,
    bitwise_left_shift,
    bitwise_or,  # noqa: F401 - of the family
    bitwise_right_shift,  # noqa: F401
    bitwise_xor,  # noqa: F401
    floor_divide,
    promoted_add,
    promoted_mul,
    promoted_truediv,
)


@rule("torch.add:mixed", "torch.Tensor.add:mixed")
def promoted_sum(input, other, *, alpha=1):
    return promoted_add(input, other if alpha == 1 else promoted_mul(other, alpha))


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


@rule(torch.div, torch.Tensor.div, torch.divide, torch.Tensor.divide)
def div(input, other, *, rounding_mode=None):
    if rounding_mode is None:
        return input / other
    if rounding_mode == "floor":
        return floor_divide(input, other)
    quotient = oneflow.trunc(input / other)
    whole = not input.is_floating_point() and not (
        other.is_floating_point() if isinstance(other, oneflow.Tensor) else isinstance(other, float)
    )
    return quotient.to(input.dtype) if whole else quotient


@family("maximum minimum")
@rule("torch.maximum:mixed", "torch.Tensor.maximum:mixed")
def promoted_maximum(input, other):
    return oneflow.maximum(*oneflow.broadcast_tensors(*alike(input, other)))


@rule("torch.cat:mixed", "torch.concat:mixed", "torch.concatenate:mixed")
def promoted_cat(tensors, dim=0):
    return oneflow.cat(all_alike(tensors), dim=dim)


# Chosen by rewriters/places/empties.py.
@rule("torch.cat:empties", "torch.concat:empties", "torch.concatenate:empties")
def cat_past_empties(tensors, dim=0):
    tensors = all_alike(tensors)
    kept = [part for part in tensors if part.ndim != 1 or part.shape[0] > 0]
    return oneflow.cat(kept, dim=dim) if kept else tensors[0].clone()


@rule("torch.stack:mixed")
def promoted_stack(tensors, dim=0):
    return oneflow.stack(all_alike(tensors), dim=dim)


@family("hstack vstack")
@rule("torch.hstack:mixed")
def promoted_hstack(tensors):
    return oneflow.hstack(all_alike(tensors))


@rule("torch.where:mixed", torch.where)
def promoted_where(condition, input, other):
    return oneflow.where(condition, *filled(*alike(input, other)))


@rule("torch.Tensor.where:mixed", torch.Tensor.where)
def promoted_where_method(self, condition, other):
    return oneflow.where(condition, *filled(*alike(self, other)))


@rule("torch.outer:mixed", "torch.Tensor.outer:mixed", "torch.ger:mixed")
def promoted_outer(input, vec2):
    return promoted_mul(input.unsqueeze(1), vec2.unsqueeze(0))


@rule("torch.einsum:mixed")
def promoted_einsum(equation, *operands):
    return oneflow.einsum(equation, *all_alike(operands))


@rule("torch.addcmul:mixed", "torch.Tensor.addcmul:mixed")
def promoted_addcmul(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_mul(tensor1, tensor2), value))


@rule("torch.addcdiv:mixed", "torch.Tensor.addcdiv:mixed")
def promoted_addcdiv(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_truediv(tensor1, tensor2), value))


@rule(torch.atan2, torch.Tensor.atan2, torch.arctan2, torch.Tensor.arctan2)
def atan2(input, other):
    return oneflow.atan2(*floating(input, other))


@rule(torch.hypot, torch.Tensor.hypot)
def hypot(input, other):
    input, other = alike(input, other)
    return oneflow.sqrt(input * input + other * other)


@rule(torch.heaviside, torch.Tensor.heaviside)
def heaviside(input, values):
    input, values = oneflow.broadcast_tensors(*alike(input, values))
    step = oneflow.where(input == 0, values, (input > 0).to(input.dtype))
    return oneflow.where(oneflow.isnan(input), input, step) if input.is_floating_point() else step


@rule(torch.copysign, torch.Tensor.copysign)
def copysign(input, other):
    input, other = floating(input, other)
    negative = (other < 0) | ((other == 0) & (1 / other < 0))
    return oneflow.abs(input) * (1 - 2 * negative.to(input.dtype))


@rule(torch.xlogy, torch.Tensor.xlogy, torch.special.xlogy)
def xlogy(input, other):
    input, other = floating(input, other)
    unused = (input == 0) & oneflow.logical_not(oneflow.isnan(other))
    return input * oneflow.log(oneflow.masked_fill(other, unused, 1.0))


@rule(torch.ldexp, torch.Tensor.ldexp)
def ldexp(input, other):
    input, other = floating(input, other)
    return input * oneflow.pow(2.0, other)


@rule("torch.equal:mixed", "torch.Tensor.equal:mixed")
def promoted_equal(input, other):
    return oneflow.equal(*alike(input, other))
