"""torch: functions of several dtypes."""

import jax
import jax.numpy as jnp

from rewriters.rule import Rank, Values, family, rule
from rewriters.targets.jax.rules.promoted_dtypes import alike, all_alike
from rewriters.targets.jax.rules.promotion_of_operators import promoted_add, promoted_mul, promoted_truediv


@family("gcd lcm")
@rule("torch.gcd:mixed", "torch.Tensor.gcd:mixed")
def promoted_gcd(input, other):
    return jnp.gcd(*alike(input, other))


@family("maximum minimum fmax fmin copysign hypot logaddexp logaddexp2 nextafter")
@rule("torch.maximum:mixed", "torch.Tensor.maximum:mixed", "torch.maximum:widths", "torch.Tensor.maximum:widths")
def promoted_maximum(input, other):
    return jnp.maximum(*alike(input, other))


@rule("torch.kron:mixed", "torch.Tensor.kron:mixed")
def promoted_kron(input, other):
    return jnp.kron(*alike(input, other))


@family("max min", "maximum minimum")
@rule("torch.max:mixed", "torch.Tensor.max:mixed")
def promoted_max(input, other: jax.Array):
    return jnp.maximum(*alike(input, other))


# What is not known may be an axis as well.
@family("max min")
@rule("torch.max:mixed", "torch.Tensor.max:mixed")
def promoted_max(input: Rank[0], dim: int, keepdim=False):
    return Values(input, jnp.zeros((), jnp.int64))


@family("max min", "argmax argmin")
@rule("torch.max:mixed", "torch.Tensor.max:mixed")
def promoted_max(input, dim, keepdim=False):
    return Values(jnp.max(input, axis=dim, keepdims=keepdim), jnp.argmax(input, axis=dim, keepdims=keepdim))


@rule("torch.cat:mixed", "torch.concat:mixed", "torch.concatenate:mixed")
def promoted_cat(tensors, dim=0):
    return jnp.concatenate(all_alike(tensors), axis=dim)


@rule("torch.stack:mixed")
def promoted_stack(tensors, dim=0):
    return jnp.stack(all_alike(tensors), axis=dim)


@rule("torch.addcmul:mixed", "torch.Tensor.addcmul:mixed")
def promoted_addcmul(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_mul(tensor1, tensor2), value))


@rule("torch.addcdiv:mixed", "torch.Tensor.addcdiv:mixed")
def promoted_addcdiv(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_truediv(tensor1, tensor2), value))
