"""torch: functions of several dtypes."""

import functools

import paddle

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.arithmetic import (  # noqa: F401 - of a family
    fmod,
    igamma,
    igammac,
    logaddexp2,
    times_log,
)
from rewriters.targets.paddle.rules.promoted_dtypes import alike, all_alike, filled, promote_types, result_type
from rewriters.targets.paddle.rules.promotion_of_operators import promoted_add, promoted_mul, promoted_truediv


@family("hypot copysign heaviside gcd lcm")
@rule("torch.hypot:mixed", "torch.Tensor.hypot:mixed")
def promoted_hypot(input, other):
    return paddle.hypot(*alike(input, other))


# Of these Paddle gives the wider dtype also where that has no axes.
@family("maximum minimum fmax fmin logaddexp nextafter")
@rule("torch.maximum:mixed", "torch.Tensor.maximum:mixed", "torch.maximum:widths", "torch.Tensor.maximum:widths")
def promoted_maximum(input, other):
    return paddle.maximum(*alike(input, other))


@family("max min", "maximum minimum")
@rule("torch.max:mixed", "torch.Tensor.max:mixed")
def promoted_max(input, other: paddle.Tensor):
    return paddle.maximum(*alike(input, other))


# What is not known may be an axis as well.
@family("max min")
@rule("torch.max:mixed", "torch.Tensor.max:mixed")
def promoted_max(input, dim, keepdim=False):
    return paddle.compat.max(input, dim, keepdim=keepdim)


@family("min max", "maximum minimum")
@rule(
    "torch.clamp_min:mixed", "torch.Tensor.clamp_min:mixed", "torch.clamp_min:widths", "torch.Tensor.clamp_min:widths"
)
def promoted_clamp_min(input, min):
    return paddle.maximum(*filled(*alike(input, min)))


@rule("torch.kron:mixed", "torch.Tensor.kron:mixed")
def promoted_kron(input, other):
    # torch gives what has no axes one before
    return paddle.kron(*all_alike([input, other]))


@rule(
    "torch.logaddexp2:mixed",
    "torch.Tensor.logaddexp2:mixed",
    "torch.logaddexp2:widths",
    "torch.Tensor.logaddexp2:widths",
)
def promoted_logaddexp2(input, other):
    return logaddexp2(*alike(input, other))


@rule(
    "torch.xlogy:mixed",
    "torch.Tensor.xlogy:mixed",
    "torch.special.xlogy:mixed",
    "torch.xlogy:widths",
    "torch.Tensor.xlogy:widths",
    "torch.special.xlogy:widths",
)
def promoted_xlogy(input, other):
    return times_log(*alike(input, other), paddle.log)


@rule("torch.special.xlog1py:mixed", "torch.special.xlog1py:widths")
def promoted_xlog1py(input, other):
    return times_log(*alike(input, other), paddle.log1p)


@rule("torch.fmod:mixed", "torch.Tensor.fmod:mixed")
def promoted_fmod(input, other):
    return fmod(*alike(input, other))


@family("igamma igammac", "gammainc gammaincc")
@rule("torch.igamma:mixed", "torch.Tensor.igamma:mixed", "torch.special.gammainc:mixed")
def promoted_igamma(input, other):
    return igamma(*alike(input, other))


@rule(
    "torch.atan2:mixed",
    "torch.Tensor.atan2:mixed",
    "torch.arctan2:mixed",
    "torch.Tensor.arctan2:mixed",
    "torch.atan2:widths",
    "torch.Tensor.atan2:widths",
    "torch.arctan2:widths",
    "torch.Tensor.arctan2:widths",
)
def promoted_atan2(input, other):
    return paddle.atan2(*alike(input, other))


@rule("torch.dist:mixed", "torch.Tensor.dist:mixed")
def promoted_dist(input, other, p=2):
    return paddle.dist(*alike(input, other), p=p)


@rule("torch.block_diag:mixed")
def promoted_block_diag(*tensors):
    # what has no axes counts for less here than beside others in a list
    axes, none = ([part.dtype for part in tensors if bool(part.ndim) is full] for full in (True, False))
    kinds = [(1, axes), (0, none)]
    groups = [paddle.zeros([1] * count, functools.reduce(promote_types, of)) for count, of in kinds if of]
    dtype = result_type(*groups) if len(groups) > 1 else groups[0].dtype
    return paddle.block_diag([part.astype(dtype) for part in tensors])


@rule("torch.cat:mixed", "torch.concat:mixed", "torch.concatenate:mixed")
def promoted_cat(tensors, dim=0):
    return paddle.concat(all_alike(tensors), axis=dim)


# Chosen by rewriters/places/empties.py.
@rule("torch.cat:empties", "torch.concat:empties", "torch.concatenate:empties")
def cat_past_empties(tensors, dim=0):
    tensors = all_alike(tensors)
    kept = [part for part in tensors if part.ndim != 1 or part.shape[0] > 0]
    return paddle.concat(kept, axis=dim) if kept else tensors[0].clone()


@rule("torch.stack:mixed")
def promoted_stack(tensors, dim=0):
    return paddle.stack(all_alike(tensors), axis=dim)


@family("hstack vstack dstack column_stack")
@rule("torch.hstack:mixed")
def promoted_hstack(tensors):
    return paddle.hstack(all_alike(tensors))


def chosen(condition, left, right):
    """paddle.where; of 16 bits too, which a CPU has no kernel for."""
    dtype = left.dtype
    if dtype in (paddle.float16, paddle.bfloat16) and left.place.is_cpu_place():
        return paddle.where(condition, left.astype("float32"), right.astype("float32")).astype(dtype)
    return paddle.where(condition, left, right)


@rule("torch.where:mixed", "torch.where:widths")
def promoted_where(condition, input, other):
    return chosen(condition, *filled(*alike(input, other)))


@rule("torch.Tensor.where:mixed", "torch.Tensor.where:widths")
def promoted_where_method(self, condition, other):
    return chosen(condition, *filled(*alike(self, other)))


@rule("torch.masked_fill:mixed", "torch.Tensor.masked_fill:mixed")
def promoted_masked_fill(input, mask, value: paddle.Tensor):
    return chosen(mask, value.astype(input.dtype), input)


@rule("torch.masked_fill:mixed", "torch.Tensor.masked_fill:mixed")
def promoted_masked_fill(input, mask, value):
    return paddle.masked_fill(input, mask, value)


@rule("torch.outer:mixed", "torch.Tensor.outer:mixed", "torch.ger:mixed", "torch.Tensor.ger:mixed")
def promoted_outer(input, vec2):
    return paddle.outer(*alike(input, vec2))


@rule("torch.einsum:mixed")
def promoted_einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return paddle.einsum(equation, *all_alike(operands))


@rule("torch.addcmul:mixed", "torch.Tensor.addcmul:mixed")
def promoted_addcmul(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_mul(tensor1, tensor2), value))


@rule("torch.addcdiv:mixed", "torch.Tensor.addcdiv:mixed")
def promoted_addcdiv(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_truediv(tensor1, tensor2), value))


@rule("torch.isclose:mixed", "torch.Tensor.isclose:mixed")
def promoted_isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    pair = paddle.broadcast_tensors(list(alike(input, other)))
    return paddle.isclose(*pair, rtol=float(rtol), atol=float(atol), equal_nan=equal_nan)
