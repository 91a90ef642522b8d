"""torch: operators between several dtypes."""

import jax
import jax.numpy as jnp

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.promoted_dtypes import alike


@family("add sub mul eq ne lt le gt ge and or xor lshift rshift", "+ - * == != < <= > >= & | ^ << >>")
@rule("torch.Tensor.__add__:mixed", "torch.Tensor.__add__:sizes")
def promoted_add(left, right):
    left, right = alike(left, right)
    return left + right


@rule("torch.Tensor.__truediv__:mixed", "torch.Tensor.__truediv__:sizes")
def promoted_truediv(left, right):
    left, right = (floating(value) for value in alike(left, right))
    return left / right


def floating(value):
    """Integers as float32, which torch makes of them."""
    whole = isinstance(value, jax.Array) and not jnp.issubdtype(value.dtype, jnp.inexact)
    return value.astype(jnp.float32) if whole else value


@family("floordiv mod", "// %")
@rule("torch.Tensor.__floordiv__:mixed", "torch.Tensor.__floordiv__:sizes")
def promoted_floordiv(left, right):
    left, right = alike(left, right)
    return left // right


@rule("torch.Tensor.__pow__:mixed", "torch.Tensor.__pow__:sizes")
def promoted_pow(left, right):
    if isinstance(right, int) and right < 0 and not jnp.issubdtype(left.dtype, jnp.inexact):
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if isinstance(right, int) and left.dtype != jnp.bool_:
        return left**right
    left, right = alike(left, right)
    return left**right
