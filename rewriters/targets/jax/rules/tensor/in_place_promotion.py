"""In-place arithmetic with a tensor of another dtype: what changes keeps its own."""

import jax.numpy as jnp

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.promoted_dtypes import alike, category
from rewriters.targets.jax.rules.promotion import promoted_addcdiv, promoted_addcmul
from rewriters.targets.jax.rules.promotion_of_operators import (
    promoted_add,
    promoted_floordiv,
    promoted_mod,  # noqa: F401 - of a family
    promoted_mul,
    promoted_pow,  # noqa: F401 - of a family
    promoted_sub,  # noqa: F401 - of a family
    promoted_truediv,
)


def kept(self, value):
    """What becomes of a tensor to which the value is written."""
    if category(value.dtype) > category(self.dtype):
        raise RuntimeError(f"result type {value.dtype} can't be cast to the desired output type {self.dtype}")
    return value.astype(self.dtype)


@family("add_ sub_ subtract_", "promoted_add( promoted_sub( promoted_sub(")
@rule("torch.Tensor.add_:mixed")
def promoted_add_(self, other, *, alpha=1):
    self = kept(self, promoted_add(self, other if alpha == 1 else promoted_mul(other, alpha)))
    return self


@rule("torch.Tensor.mul_:mixed", "torch.Tensor.multiply_:mixed")
def promoted_mul_(self, other):
    self = kept(self, promoted_mul(self, other))
    return self


@rule("torch.Tensor.div_:mixed", "torch.Tensor.divide_:mixed", "torch.Tensor.true_divide_:mixed")
def promoted_div_(self, other):
    self = kept(self, promoted_truediv(self, other))
    return self


@family("floor_divide remainder pow", "floordiv mod pow")
@rule("torch.Tensor.floor_divide_:mixed")
def promoted_floor_divide_(self, other):
    self = kept(self, promoted_floordiv(self, other))
    return self


@family("fmod copysign hypot nextafter")
@rule("torch.Tensor.fmod_:mixed")
def promoted_fmod_(self, other):
    self = kept(self, jnp.fmod(*alike(self, other)))
    return self


@rule("torch.Tensor.addcmul_:mixed")
def promoted_addcmul_(self, tensor1, tensor2, *, value=1):
    self = kept(self, promoted_addcmul(self, tensor1, tensor2, value=value))
    return self


@rule("torch.Tensor.addcdiv_:mixed")
def promoted_addcdiv_(self, tensor1, tensor2, *, value=1):
    self = kept(self, promoted_addcdiv(self, tensor1, tensor2, value=value))
    return self


@family("iadd isub imul itruediv ifloordiv imod ipow", "add sub mul truediv floordiv mod pow")
@rule("torch.Tensor.__iadd__:mixed", "torch.Tensor.__iadd__:sizes")
def promoted_iadd(left, right):
    return kept(left, promoted_add(left, right))
