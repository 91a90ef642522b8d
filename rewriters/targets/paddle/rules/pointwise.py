"""Functions of one tensor, element by element."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import BoolTensor, FloatTensor, IntTensor, Rank, becomes, family, rule
from rewriters.targets.paddle.rules.products import wanting
from rewriters.targets.paddle.rules.promoted_dtypes import alike

becomes(torch.conj_physical, torch.Tensor.conj_physical, paddle.conj)
becomes(torch.deg2rad, torch.Tensor.deg2rad, paddle.deg2rad)
becomes(torch.rad2deg, torch.Tensor.rad2deg, paddle.rad2deg)
becomes(torch.digamma, torch.Tensor.digamma, torch.special.digamma, torch.special.psi, paddle.digamma)
becomes(torch.erfinv, torch.Tensor.erfinv, torch.special.erfinv, paddle.erfinv)
becomes(torch.view_as_real, paddle.as_real)
becomes(torch.relu, torch.Tensor.relu, paddle.nn.functional.relu)
becomes(
    torch.log_softmax, torch.Tensor.log_softmax, torch.special.log_softmax, paddle.nn.functional.log_softmax, dim="axis"
)
becomes(torch.softmax, torch.Tensor.softmax, torch.special.softmax, paddle.nn.functional.softmax, dim="axis")

Frexp = namedtuple("Frexp", ["mantissa", "exponent"])


@family("deg2rad rad2deg")
@rule(torch.deg2rad, torch.Tensor.deg2rad)
def deg2rad(input: IntTensor | BoolTensor):
    # of bytes and truth values it gives such
    return paddle.deg2rad(input.astype(paddle.get_default_dtype()))


@family(
    "abs acos acosh asin asinh atan atanh trunc imag", "absolute arccos arccosh arcsin arcsinh arctan arctanh fix imag"
)
@rule(torch.absolute, torch.Tensor.absolute)
def absolute(input):
    return paddle.abs(input)


@rule(torch.erfc, torch.Tensor.erfc, torch.special.erfc)
def erfc(input):
    return 1 - paddle.erf(input)


@rule(torch.exp2, torch.Tensor.exp2, torch.special.exp2)
def exp2(input):
    return 2.0**input


@rule(torch.resolve_conj, torch.Tensor.resolve_conj, torch.resolve_neg, torch.Tensor.resolve_neg)
def resolve_conj(input):
    # Paddle conjugates at once
    return input


@rule(torch.positive, torch.Tensor.positive)
def positive(input):
    return +input


@rule(torch.lgamma, torch.Tensor.lgamma, torch.special.gammaln)
def lgamma(input):
    return paddle.lgamma(input)


@rule(torch.mvlgamma, torch.Tensor.mvlgamma, torch.special.multigammaln)
def mvlgamma(input, p):
    return paddle.multigammaln(input, p)


@rule(torch.polygamma, torch.special.polygamma)
def polygamma(n, input):
    return paddle.polygamma(input, n)


@rule(torch.Tensor.polygamma)
def polygamma(self, n):
    return paddle.polygamma(self, n)


@rule(torch.round, torch.Tensor.round, torch.special.round)
def round(input, *, decimals=0):
    return paddle.round(input, decimals=decimals)


@rule(torch.sgn, torch.Tensor.sgn)
def sgn(input):
    return paddle.sgn(input)


@rule(torch.sgn, torch.Tensor.sgn)
def sgn(input: IntTensor):
    return paddle.sign(input)


@rule(torch.real, torch.Tensor.real)
def real(input):
    return paddle.real(input) if paddle.is_complex(input) else input


# A method there; of numbers and arrays it is an attribute.
@rule("torch.Tensor.real:any")
def real_of(self):
    return real(self) if isinstance(self, paddle.Tensor) else self.real


@rule("torch.Tensor.imag:any")
def imag_of(self):
    return paddle.imag(self) if isinstance(self, paddle.Tensor) else self.imag


@rule(torch.frexp, torch.Tensor.frexp)
def frexp(input):
    mantissa, exponent = paddle.frexp(input)
    return Frexp(mantissa, exponent.astype("int32"))


@rule(torch.rrelu)
def rrelu(input, lower=1 / 8, upper=1 / 3, training=False):
    return paddle.nn.functional.rrelu(input, lower=lower, upper=upper, training=training)


@rule(torch.threshold)
def threshold(input, threshold, value):
    return paddle.nn.functional.thresholded_relu(input, threshold, value)


@rule(torch.hardshrink, torch.Tensor.hardshrink)
def hardshrink(input, lambd=0.5):
    return paddle.nn.functional.hardshrink(input, threshold=lambd)


@rule(torch.prelu, torch.Tensor.prelu)
def prelu(input: Rank[0] | Rank[1], weight):
    # the backward of Paddle's ends the process
    return paddle.where(input > 0, input, weight * input).reshape(input.shape)


@rule(torch.prelu, torch.Tensor.prelu)
def prelu(input, weight):
    return paddle.nn.functional.prelu(wanting(input, weight), weight)


@rule(torch.logit, torch.Tensor.logit, torch.special.logit)
def logit(input, eps=None):
    return paddle.logit(input, eps=eps)


@rule(torch.nan_to_num, torch.Tensor.nan_to_num)
def nan_to_num(input: IntTensor | BoolTensor, nan=0.0, posinf=None, neginf=None):
    return input.clone()


@rule(torch.nan_to_num, torch.Tensor.nan_to_num)
def nan_to_num(input: FloatTensor, nan=0.0, posinf=None, neginf=None):
    return paddle.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@rule(torch.nan_to_num, torch.Tensor.nan_to_num)
def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    if not input.is_floating_point():
        return input.clone()
    return paddle.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@rule(torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip)
def clamp(input, min: int | float | None = None, max: int | float | None = None):
    return paddle.clip(input, min=min, max=max)


@rule(torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip)
def clamp(input, min: paddle.Tensor | None = None, max: paddle.Tensor | None = None):
    if min is not None:
        input = paddle.maximum(*alike(input, min))
    if max is not None:
        input = paddle.minimum(*alike(input, max))
    return input


@family("min max")
@rule(torch.clamp_min, torch.Tensor.clamp_min)
def clamp_min(input, min: int | float):
    return paddle.clip(input, min=min)


@family("min max", "maximum minimum")
@rule(torch.clamp_min, torch.Tensor.clamp_min)
def clamp_min(input, min: paddle.Tensor):
    return paddle.maximum(input, min)
