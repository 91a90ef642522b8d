"""Functions of two tensors, element by element: arithmetic, comparison, logic."""

import paddle
import torch

from rewriters.rule import BoolTensor, ComplexTensor, FloatTensor, IntTensor, becomes, family, note, rule
from rewriters.targets.paddle.rules.promoted_dtypes import alike, filled

becomes(torch.hypot, torch.Tensor.hypot, paddle.hypot)

note(
    torch.atan2,
    torch.arctan2,
    torch.Tensor.atan2,
    torch.Tensor.arctan2,
    "where both are exactly 0 the gradient is NaN, torch's is 0: leave such points out before, a mask behind is late",
)


@rule(torch.add, torch.Tensor.add)
def add(input, other, *, alpha=1):
    return input + other if alpha == 1 else input + alpha * other


@rule(torch.sub, torch.subtract, torch.Tensor.sub, torch.Tensor.subtract)
def sub(input, other, *, alpha=1):
    return input - other if alpha == 1 else input - alpha * other


@rule(torch.rsub)
def rsub(input, other, *, alpha=1):
    return other - input if alpha == 1 else other - alpha * input


@rule(torch.mul, torch.multiply, torch.Tensor.mul, torch.Tensor.multiply)
def mul(input, other):
    return input * other


@rule(torch.div, torch.divide, torch.Tensor.div, torch.Tensor.divide)
def div(input, other, *, rounding_mode=None):
    if rounding_mode is None:
        return input / other
    # Paddle's takes tensors of one dtype
    return paddle.divide(*filled(*alike(input, other)), rounding_mode=rounding_mode)


# by a number, Paddle's operator gives a tensor without an axis one
@rule(torch.floor_divide, torch.Tensor.floor_divide, torch.Tensor.__floordiv__)
def floor_divide(input, other: int | float):
    if input.ndim == 0:
        return (input // other).reshape([])
    return input // other


@rule(torch.floor_divide, torch.Tensor.floor_divide)
def floor_divide(input, other):
    return input // other


@rule("torch.Tensor.__floordiv__:unknown")
def floordiv_of_any(left, right):
    if isinstance(left, paddle.Tensor) and left.ndim == 0 and not isinstance(right, paddle.Tensor):
        return (left // right).reshape([])
    if isinstance(right, paddle.Tensor) and right.ndim == 0 and not isinstance(left, paddle.Tensor):
        return (left // right).reshape([])
    return left // right


@rule(torch.Tensor.__floordiv__)
def floordiv(self, other):
    return self // other


@rule(torch.remainder, torch.Tensor.remainder)
def remainder(input, other):
    return input % other


@rule(torch.fmod, torch.Tensor.fmod)
def fmod(input, other: int | float):
    # the sign is the dividend's, as in C
    return paddle.sign(input) * (paddle.abs(input) % abs(other))


@rule(torch.fmod, torch.Tensor.fmod)
def fmod(input, other: paddle.Tensor):
    return paddle.sign(input) * paddle.remainder(paddle.abs(input), paddle.abs(other))


@rule(torch.pow, torch.Tensor.pow)
def pow(input, exponent):
    return input**exponent


@rule(torch.float_power, torch.Tensor.float_power)
def float_power(input: paddle.Tensor, exponent: paddle.Tensor):
    if input.is_complex() or exponent.is_complex():
        return input.astype("complex128") ** exponent.astype("complex128")
    return input.astype("float64") ** exponent.astype("float64")


@rule(torch.float_power, torch.Tensor.float_power)
def float_power(input: paddle.Tensor, exponent):
    return input.astype("complex128" if input.is_complex() else "float64") ** exponent


@rule(torch.float_power)
def float_power(input, exponent):
    return input ** exponent.astype("complex128" if exponent.is_complex() else "float64")


def floating(input, other):
    """Both of one floating-point dtype; of whole numbers Paddle's atan2 gives float64, its copysign whole numbers."""
    input, other = filled(*alike(input, other))
    if input.is_floating_point():
        return input, other
    return input.astype("float32"), other.astype("float32")


@rule(torch.atan2, torch.arctan2, torch.Tensor.atan2, torch.Tensor.arctan2)
def atan2(input: FloatTensor, other: FloatTensor):
    return paddle.atan2(input, other)


@rule(torch.atan2, torch.arctan2, torch.Tensor.atan2, torch.Tensor.arctan2)
def atan2(input, other):
    return paddle.atan2(*floating(input, other))


@rule(torch.copysign, torch.Tensor.copysign)
def copysign(input: FloatTensor, other: int | float):
    return paddle.copysign(input, paddle.full_like(input, other))


@rule(torch.copysign, torch.Tensor.copysign)
def copysign(input: FloatTensor, other: FloatTensor):
    return paddle.copysign(input, other)


@rule(torch.copysign, torch.Tensor.copysign)
def copysign(input, other):
    return paddle.copysign(*floating(input, other))


@family("maximum minimum", "logical_or logical_and")
@rule(torch.maximum, torch.Tensor.maximum)
def maximum(input: BoolTensor, other: BoolTensor):
    return paddle.logical_or(input, other)


@family("heaviside nextafter logaddexp maximum minimum fmax fmin", "values other other other other other other")
@rule(torch.heaviside, torch.Tensor.heaviside)
def heaviside(input, values):
    return paddle.heaviside(input, values)


@rule(torch.ldexp, torch.Tensor.ldexp)
def ldexp(input, other):
    return input * 2.0**other


@rule(torch.logaddexp2, torch.Tensor.logaddexp2)
def logaddexp2(input, other):
    log2 = 0.6931471805599453
    return paddle.logaddexp(input * log2, other * log2) / log2


@rule(torch.xlogy, torch.Tensor.xlogy, torch.special.xlogy)
def xlogy(input: FloatTensor, other: FloatTensor):
    return paddle.where(
        (input == 0) & ~paddle.isnan(other), paddle.zeros([], dtype=other.dtype), input * paddle.log(other)
    )


@rule(torch.xlogy, torch.Tensor.xlogy, torch.special.xlogy)
def xlogy(input, other):
    return times_log(input, other, paddle.log)


def times_log(input, other, log):
    """The product, 0 where the input is; of what are no floats as torch has it."""
    if not isinstance(other, paddle.Tensor):
        other = paddle.full([], other, dtype=floats(input).dtype)
    input, logs = alike(input, log(floats(other)))
    product = input * logs
    return paddle.where((input == 0) & ~paddle.isnan(logs), paddle.zeros_like(product), product)


def floats(input):
    """As floating-point numbers."""
    return input if input.is_floating_point() else input.astype(paddle.get_default_dtype())


@family("igamma igammac", "gammainc gammaincc", "1.0 0.0")
@rule(torch.igamma, torch.Tensor.igamma, torch.special.gammainc)
def igamma(input, other):
    return gamma_share(paddle.gammainc, input, other, 1.0)


def gamma_share(function, a, x, of_none):
    """NaN for negative arguments, where Paddle's functions raise; of 0 what is left of the whole."""
    inside, one = (a > 0) & (x >= 0), paddle.ones([], dtype=x.dtype)
    found = function(paddle.where(inside, a, one), paddle.where(inside, x, one))
    missing = paddle.full([], float("nan"), dtype=found.dtype)
    edge = paddle.where((a == 0) & (x > 0), paddle.full_like(found, of_none), missing)
    return paddle.where(inside, found, edge)


@rule(torch.addcmul, torch.Tensor.addcmul)
def addcmul(input, tensor1, tensor2, *, value=1):
    return input + tensor1 * tensor2 if value == 1 else input + value * tensor1 * tensor2


@rule(torch.addcdiv, torch.Tensor.addcdiv)
def addcdiv(input, tensor1, tensor2, *, value=1):
    return input + tensor1 / tensor2 if value == 1 else input + value * (tensor1 / tensor2)


@rule(torch.eq, torch.Tensor.eq)
def eq(input, other):
    return input == other


@rule(torch.ne, torch.not_equal, torch.Tensor.ne, torch.Tensor.not_equal)
def ne(input, other):
    return input != other


@rule(torch.lt, torch.less, torch.Tensor.lt, torch.Tensor.less)
def lt(input, other):
    return input < other


@rule(torch.le, torch.less_equal, torch.Tensor.le, torch.Tensor.less_equal)
def le(input, other):
    return input <= other


@rule(torch.gt, torch.greater, torch.Tensor.gt, torch.Tensor.greater)
def gt(input, other):
    return input > other


@rule(torch.ge, torch.greater_equal, torch.Tensor.ge, torch.Tensor.greater_equal)
def ge(input, other):
    return input >= other


@family("and or xor")
@rule(torch.logical_and, torch.Tensor.logical_and)
def logical_and(input, other):
    return paddle.logical_and(input, other)


@rule(torch.equal, torch.Tensor.equal)
def equal(input, other):
    return input.shape == other.shape and bool((input == other).all())


@rule(torch.allclose, torch.Tensor.allclose)
def allclose(input: ComplexTensor, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    pair = paddle.broadcast_tensors([input, other])
    return bool(paddle.isclose(*pair, rtol=float(rtol), atol=float(atol), equal_nan=equal_nan).all())


@rule(torch.allclose, torch.Tensor.allclose)
def allclose(input: BoolTensor | IntTensor | FloatTensor, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    if isinstance(rtol, int) or isinstance(atol, int):
        rtol, atol = float(rtol), float(atol)
    if input.shape != other.shape:  # paddle.allclose does not broadcast
        input, other = paddle.broadcast_tensors([input, other])
    return bool(paddle.allclose(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan))


@rule(torch.isclose, torch.Tensor.isclose)
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    if isinstance(rtol, int) or isinstance(atol, int):
        rtol, atol = float(rtol), float(atol)
    if input.shape != other.shape:  # paddle.isclose does not broadcast
        input, other = paddle.broadcast_tensors([input, other])
    return paddle.isclose(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan)


@rule(torch.div, torch.divide, torch.Tensor.div, torch.Tensor.divide)
def div(input: IntTensor, other: int, *, rounding_mode: str):
    return paddle.divide(input, paddle.full([], other, dtype=input.dtype), rounding_mode=rounding_mode)


@rule(torch.div, torch.divide, torch.Tensor.div, torch.Tensor.divide)
def div(input: FloatTensor, other: int | float, *, rounding_mode: str):
    return paddle.divide(input, paddle.full([], other, dtype=input.dtype), rounding_mode=rounding_mode)


@rule(torch.div, torch.divide, torch.Tensor.div, torch.Tensor.divide)
def div(input: IntTensor, other: FloatTensor, *, rounding_mode: str):
    return paddle.divide(input.astype(other.dtype), other, rounding_mode=rounding_mode)


@rule(torch.div, torch.divide, torch.Tensor.div, torch.Tensor.divide)
def div(input: FloatTensor, other: IntTensor, *, rounding_mode: str):
    return paddle.divide(input, other.astype(input.dtype), rounding_mode=rounding_mode)


@family("and or xor")
@rule("torch.logical_and:mixed", "torch.Tensor.logical_and:mixed")
def promoted_logical_and(input, other):
    return paddle.logical_and(input.astype("bool"), other.astype("bool"))
