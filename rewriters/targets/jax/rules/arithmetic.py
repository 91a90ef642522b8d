"""Functions of two tensors or more, element by element."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.promoted_dtypes import alike, category, inexact


@rule(torch.add, torch.Tensor.add)
def add(input, other, *, alpha=1):
    return input + other if alpha == 1 else input + alpha * other


@rule(torch.sub, torch.Tensor.sub, torch.subtract, torch.Tensor.subtract)
def sub(input, other, *, alpha=1):
    return input - other if alpha == 1 else input - alpha * other


@rule(torch.rsub)
def rsub(input, other, *, alpha=1):
    return other - input if alpha == 1 else other - alpha * input


@rule(torch.mul, torch.Tensor.mul, torch.multiply, torch.Tensor.multiply)
def mul(input, other):
    return input * other


@rule(torch.true_divide, torch.Tensor.true_divide)
def true_divide(input, other):
    return input / other


@rule(torch.div, torch.Tensor.div, torch.divide, torch.Tensor.divide)
def div(input, other):
    return input / other


@rule(torch.div, torch.Tensor.div, torch.divide, torch.Tensor.divide)
def div(input, other, *, rounding_mode):
    if rounding_mode is None:
        return input / other
    if rounding_mode == "floor":
        return jnp.floor_divide(*alike(input, other))
    return truncated(*alike(input, other))


def truncated(left, right):
    """The quotient towards zero."""
    if jnp.issubdtype(left.dtype, jnp.integer):
        return jax.lax.div(*jnp.broadcast_arrays(left, right))
    return jnp.trunc(left / right)


@rule(torch.floor_divide, torch.Tensor.floor_divide)
def floor_divide(input, other):
    return input // other


@rule(torch.remainder, torch.Tensor.remainder)
def remainder(input, other):
    return input % other


@rule(torch.fmod, torch.Tensor.fmod)
def fmod(input, other):
    return jnp.fmod(*alike(input, other))


@rule(torch.pow, torch.Tensor.pow)
def pow(input, exponent):
    return input**exponent


@rule(torch.float_power, torch.Tensor.float_power)
def float_power(input, exponent):
    wide = max(category(jnp.asarray(value).dtype) for value in (input, exponent)) == 3
    dtype = jnp.complex128 if wide else jnp.float64
    return jnp.asarray(input, dtype) ** jnp.asarray(exponent, dtype)


@family("maximum minimum fmax fmin copysign")
@rule(torch.maximum, torch.Tensor.maximum)
def maximum(input, other):
    return jnp.maximum(input, other)


@family("hypot logaddexp logaddexp2 nextafter gcd lcm")
@rule(torch.hypot, torch.Tensor.hypot)
def hypot(input, other):
    return jnp.hypot(input, other)


@rule(torch.heaviside, torch.Tensor.heaviside)
def heaviside(input, values):
    return jnp.where(input == 0, values, (input > 0).astype(input.dtype))


@rule(torch.atan2, torch.Tensor.atan2, torch.arctan2, torch.Tensor.arctan2)
def atan2(input, other):
    return jnp.arctan2(*alike(inexact(input), inexact(other)))


@rule(torch.ldexp, torch.Tensor.ldexp)
def ldexp(input, other):
    # of integers torch's powers of two are float32
    return jnp.multiply(*alike(input, jnp.exp2(inexact(jnp.asarray(other)))))


@rule(torch.xlogy, torch.Tensor.xlogy, torch.special.xlogy)
def xlogy(input, other):
    left, right = (inexact(jnp.asarray(value)) for value in alike(input, other))
    return xlogy_of(left, jnp.log, right)


def xlogy_of(x, log, y):
    """x log(y), 0 where x is 0 and y is a number."""
    none = (x == 0) & ~jnp.isnan(y)
    return jnp.where(none, 0, x * log(jnp.where(none, 1, y)))


@rule(torch.lerp, torch.Tensor.lerp)
def lerp(input, end, weight):
    return input + weight * (end - input)


@rule(torch.addcmul, torch.Tensor.addcmul)
def addcmul(input, tensor1, tensor2, *, value=1):
    return input + tensor1 * tensor2 if value == 1 else input + value * tensor1 * tensor2


@rule(torch.addcdiv, torch.Tensor.addcdiv)
def addcdiv(input, tensor1, tensor2, *, value=1):
    return input + tensor1 / tensor2 if value == 1 else input + value * tensor1 / tensor2


@rule(torch.ne, torch.Tensor.ne, torch.not_equal, torch.Tensor.not_equal)
def ne(input, other):
    return input != other


@rule(torch.eq, torch.Tensor.eq)
def eq(input, other):
    return input == other


@rule(torch.lt, torch.Tensor.lt, torch.less, torch.Tensor.less)
def lt(input, other):
    return input < other


@rule(torch.le, torch.Tensor.le, torch.less_equal, torch.Tensor.less_equal)
def le(input, other):
    return input <= other


@rule(torch.gt, torch.Tensor.gt, torch.greater, torch.Tensor.greater)
def gt(input, other):
    return input > other


@rule(torch.ge, torch.Tensor.ge, torch.greater_equal, torch.Tensor.greater_equal)
def ge(input, other):
    return input >= other


@rule(torch.bitwise_and, torch.Tensor.bitwise_and)
def bitwise_and(input, other):
    return input & other


@rule(torch.bitwise_or, torch.Tensor.bitwise_or)
def bitwise_or(input, other):
    return input | other


@rule(torch.bitwise_xor, torch.Tensor.bitwise_xor)
def bitwise_xor(input, other):
    return input ^ other


@rule(torch.bitwise_left_shift, torch.Tensor.bitwise_left_shift)
def bitwise_left_shift(input, other):
    return input << other


@rule(torch.bitwise_right_shift, torch.Tensor.bitwise_right_shift)
def bitwise_right_shift(input, other):
    return input >> other


@family("logical_and logical_or logical_xor")
@rule(torch.logical_and, torch.Tensor.logical_and)
def logical_and(input, other):
    return jnp.logical_and(input, other)


@rule(torch.isclose, torch.Tensor.isclose)
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return jnp.isclose(input, other, rtol, atol, equal_nan)


@rule(torch.allclose, torch.Tensor.allclose)
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(jnp.allclose(input, other, rtol, atol, equal_nan))


@rule(torch.equal, torch.Tensor.equal)
def equal(input, other):
    return bool(jnp.array_equal(input, other))


@rule(torch.clamp, torch.Tensor.clamp, torch.clip, torch.Tensor.clip)
def clamp(input, min=None, max=None):
    return clamped(input, min, max)


def clamped(x, low, high):
    """torch's gradient at an edge is the tensor's; of numbers and tensors the kinds of dtype are torch's."""
    for bound, beyond in ((low, jnp.less), (high, jnp.greater)):
        if bound is not None:
            x, edge = alike(x, bound)
            x = jnp.where(beyond(x, edge) | jnp.isnan(edge), edge, x)
    return x


@rule(torch.clamp_min, torch.Tensor.clamp_min)
def clamp_min(input, min):
    return clamped(input, min, None)


@rule(torch.clamp_max, torch.Tensor.clamp_max)
def clamp_max(input, max):
    return clamped(input, None, max)
