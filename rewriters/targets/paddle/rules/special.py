"""torch.special: by Paddle's functions, by formulas that keep the precision, or not at all."""

import paddle
import torch

from rewriters.rule import BoolTensor, FloatTensor, IntTensor, family, rule
from rewriters.targets.paddle.rules.arithmetic import floats, times_log
from rewriters.targets.paddle.rules.promoted_dtypes import alike


@family("expit erf log1p i0e i1e", "sigmoid erf log1p i0e i1e")
@rule(torch.special.expit)
def expit(input):
    return paddle.sigmoid(input)


@rule(torch.sinc, torch.Tensor.sinc, torch.special.sinc)
def sinc(input):
    return paddle.sinc(input)


@rule(torch.sinc, torch.Tensor.sinc, torch.special.sinc)
def sinc(input: IntTensor):
    return paddle.sinc(input.astype(paddle.get_default_dtype()))


@family("0 1")
@rule(torch.special.i0, torch.special.modified_bessel_i0)
def i0(input):
    return paddle.i0(input)


@rule(torch.special.ndtr)
def ndtr(input):
    return (1 + paddle.erf(input * 0.7071067811865476)) / 2


@rule(torch.special.ndtri)
def ndtri(input):
    return paddle.erfinv(2 * floats(input) - 1) * 1.4142135623730951


@rule(torch.special.log_ndtr)
def log_ndtr(input):
    input = floats(input)
    # by what lies beyond, where 1 + erf has lost its digits; far to the left that is 0: a series stands for the tail
    far = -30.0 if input.dtype == paddle.float64 else -12.0
    scaled = paddle.clip(input, max=far)
    inverse = 1 / scaled**2
    series = 1 - inverse * (1 - 3 * inverse * (1 - 5 * inverse * (1 - 7 * inverse * (1 - 9 * inverse))))
    tail = -(scaled**2) / 2 - paddle.log(-scaled) - 0.9189385332046727 + paddle.log(series)
    beyond = paddle.gammaincc(paddle.full_like(input, 0.5), paddle.clip(input**2 / 2, 0.5, far**2 / 2)) / 2
    sides = paddle.where(input < 0, paddle.log(beyond), paddle.log1p(-beyond))
    middle = paddle.log((1 + paddle.erf(paddle.clip(input, -1.0, 1.0) * 0.7071067811865476)) / 2)
    return paddle.where(input < far, tail, paddle.where(paddle.abs(input) < 1.0, middle, sides))


@rule(torch.special.entr)
def entr(input: IntTensor | BoolTensor):
    value = floats(input)
    outside = paddle.where(value < 0, paddle.full_like(value, -float("inf")), paddle.zeros_like(value))
    return paddle.where(value > 0, -value * paddle.log(paddle.clip(value, min=1.0)), outside)


@rule(torch.special.entr)
def entr(input):
    inside = input > 0
    value = -input * paddle.log(paddle.where(inside, input, paddle.ones_like(input)))
    outside = paddle.where(input == 0, paddle.zeros_like(input), paddle.full_like(input, -float("inf")))
    return paddle.where(inside | paddle.isnan(input), value, outside)


@rule(torch.special.xlog1py)
def xlog1py(input: FloatTensor, other: FloatTensor):
    return paddle.where(
        (input == 0) & ~paddle.isnan(other), paddle.zeros([], dtype=other.dtype), input * paddle.log1p(other)
    )


@rule(torch.special.xlog1py)
def xlog1py(input, other):
    return times_log(input, other, paddle.log1p)


@rule(torch.special.spherical_bessel_j0)
def spherical_bessel_j0(x):
    return paddle.sinc(x / 3.141592653589793)


def recurrence(x, n, zeroth, first, following):
    """The polynomial of degree n at x, both broadcast, by its three-term recurrence; zero for negative degrees."""
    degree = n if isinstance(n, paddle.Tensor) else paddle.to_tensor(float(n))
    x = x if isinstance(x, paddle.Tensor) else paddle.full([], x, dtype=degree.dtype)
    x, degree = alike(x, degree)
    x = x if x.is_floating_point() else x.astype(degree.dtype if degree.is_floating_point() else "float32")
    shape = paddle.broadcast_shape(x.shape, degree.shape)
    x, degree = paddle.expand(x, shape), paddle.trunc(paddle.expand(degree.detach().astype(x.dtype), shape))
    before, current = paddle.full_like(x, zeroth), first(x)
    found = paddle.where(degree == 0, before, paddle.where(degree == 1, current, paddle.zeros_like(x)))
    for k in range(1, int(degree.max()) if degree.size else 0):
        before, current = current, following(k, x, current, before)
        found = paddle.where(degree == k + 1, current, found)
    return found
