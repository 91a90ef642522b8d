"""Functions of one tensor, element by element. Of integers torch makes float32, JAX float64."""

from collections import namedtuple

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import BoolTensor, ComplexTensor, FloatTensor, IntTensor, becomes, family, rule

becomes(torch.conj, torch.Tensor.conj, torch.conj_physical, torch.Tensor.conj_physical, jnp.conj)
becomes(torch.trunc, torch.Tensor.trunc, torch.fix, torch.Tensor.fix, jnp.trunc)
becomes(torch.sign, torch.Tensor.sign, torch.sgn, torch.Tensor.sgn, jnp.sign)
becomes(torch.logical_not, torch.Tensor.logical_not, jnp.logical_not)

Frexp = namedtuple("Frexp", ["mantissa", "exponent"])


@family("acos acosh asin asinh atan atanh", "arccos arccosh arcsin arcsinh arctan arctanh")
@rule(torch.acos, torch.Tensor.acos, torch.arccos, torch.Tensor.arccos)
def acos(input: FloatTensor | ComplexTensor):
    return jnp.arccos(input)


@family("acos acosh asin asinh atan atanh", "arccos arccosh arcsin arcsinh arctan arctanh")
@rule(torch.acos, torch.Tensor.acos, torch.arccos, torch.Tensor.arccos)
def acos(input: IntTensor | BoolTensor):
    return jnp.arccos(input.astype(jnp.float32))


@family("cos cosh exp log log10 log2 sin sinh sqrt tan tanh deg2rad rad2deg")
@rule(torch.cos, torch.Tensor.cos)
def cos(input: FloatTensor | ComplexTensor):
    return jnp.cos(input)


@family("cos cosh exp log log10 log2 sin sinh sqrt tan tanh deg2rad rad2deg")
@rule(torch.cos, torch.Tensor.cos)
def cos(input: IntTensor | BoolTensor):
    return jnp.cos(input.astype(jnp.float32))


@family("exp2 expm1 log1p sinc i0")
@rule(torch.exp2, torch.Tensor.exp2, torch.special.exp2)
def exp2(input: FloatTensor | ComplexTensor):
    return jnp.exp2(input)


@family("exp2 expm1 log1p sinc i0")
@rule(torch.exp2, torch.Tensor.exp2, torch.special.exp2)
def exp2(input: IntTensor | BoolTensor):
    return jnp.exp2(input.astype(jnp.float32))


@rule(torch.sigmoid, torch.Tensor.sigmoid, torch.special.expit, torch.nn.functional.sigmoid)
def sigmoid(input: FloatTensor | ComplexTensor):
    return jax.nn.sigmoid(input)


@rule(torch.sigmoid, torch.Tensor.sigmoid, torch.special.expit, torch.nn.functional.sigmoid)
def sigmoid(input: IntTensor | BoolTensor):
    return jax.nn.sigmoid(input.astype(jnp.float32))


@rule(torch.rsqrt, torch.Tensor.rsqrt)
def rsqrt(input: FloatTensor | ComplexTensor):
    return jax.lax.rsqrt(input)


@rule(torch.rsqrt, torch.Tensor.rsqrt)
def rsqrt(input: IntTensor | BoolTensor):
    return jax.lax.rsqrt(input.astype(jnp.float32))


@rule(torch.reciprocal, torch.Tensor.reciprocal)
def reciprocal(input: FloatTensor | ComplexTensor):
    return 1 / input


@rule(torch.reciprocal, torch.Tensor.reciprocal)
def reciprocal(input: IntTensor | BoolTensor):
    return 1 / input.astype(jnp.float32)


@family("erf erfc")
@rule(torch.erf, torch.Tensor.erf, torch.special.erf)
def erf(input: FloatTensor):
    return jax.scipy.special.erf(input)


@family("erf erfc")
@rule(torch.erf, torch.Tensor.erf, torch.special.erf)
def erf(input: IntTensor | BoolTensor):
    return jax.scipy.special.erf(input.astype(jnp.float32))


@rule(torch.erfinv, torch.Tensor.erfinv, torch.special.erfinv)
def erfinv(input: FloatTensor):
    return jax.scipy.special.erfinv(input)


@rule(torch.erfinv, torch.Tensor.erfinv, torch.special.erfinv)
def erfinv(input: IntTensor | BoolTensor):
    return jax.scipy.special.erfinv(input.astype(jnp.float32))


@rule(torch.lgamma, torch.Tensor.lgamma, torch.special.gammaln)
def lgamma(input: FloatTensor):
    return jax.scipy.special.gammaln(input)


@rule(torch.lgamma, torch.Tensor.lgamma, torch.special.gammaln)
def lgamma(input: IntTensor | BoolTensor):
    return jax.scipy.special.gammaln(input.astype(jnp.float32))


@rule(torch.digamma, torch.Tensor.digamma, torch.special.digamma, torch.special.psi)
def digamma(input: FloatTensor):
    return digamma_of(input)


@rule(torch.digamma, torch.Tensor.digamma, torch.special.digamma, torch.special.psi)
def digamma(input: IntTensor | BoolTensor):
    return digamma_of(input.astype(jnp.float32))


def digamma_of(x):
    """By reflection below one half: the derivative that JAX has is wrong there."""
    low = x < 0.5
    found = jax.scipy.special.digamma(jnp.where(low, 1 - x, x))
    found = jnp.where(low, found - jnp.pi / jnp.tan(jnp.pi * jnp.where(low, x, 0.25)), found)
    return jnp.where(x == 0, jnp.copysign(jnp.inf, -x), found)


@rule(torch.polygamma, torch.special.polygamma)
def polygamma(n, input):
    return polygamma_of(n, input)


@rule(torch.Tensor.polygamma)
def polygamma(self, n):
    return polygamma_of(n, self)


def polygamma_of(n, x):
    x = x if jnp.issubdtype(x.dtype, jnp.inexact) else x.astype(jnp.float32)
    if n == 0:
        return digamma_of(x)
    if n > 1:
        return jax.scipy.special.polygamma(n, x).astype(x.dtype)
    low = x < 0.5
    found = jax.scipy.special.polygamma(1, jnp.where(low, 1 - x, x)).astype(x.dtype)
    return jnp.where(low, (jnp.pi / jnp.sin(jnp.pi * jnp.where(low, x, 0.25))) ** 2 - found, found)


@rule(torch.mvlgamma, torch.Tensor.mvlgamma, torch.special.multigammaln)
def mvlgamma(input, p):
    x = input if jnp.issubdtype(input.dtype, jnp.inexact) else input.astype(jnp.float32)
    return jax.scipy.special.multigammaln(x, p)


@rule(torch.logit, torch.Tensor.logit, torch.special.logit)
def logit(input, eps=None):
    x = input if jnp.issubdtype(input.dtype, jnp.inexact) else input.astype(jnp.float32)
    x = x if eps is None else jnp.clip(x, eps, 1 - eps)
    return jnp.log(x / (1 - x))


@family("abs square positive", "absolute square positive")
@rule(torch.abs, torch.Tensor.abs, torch.absolute, torch.Tensor.absolute)
def abs(input):
    return jnp.abs(input)


@rule(torch.neg, torch.Tensor.neg, torch.negative, torch.Tensor.negative)
def neg(input):
    return -input


@rule(torch.resolve_conj, torch.Tensor.resolve_conj, torch.resolve_neg, torch.Tensor.resolve_neg)
def resolve_conj(input):
    return input


@family("ceil floor")
@rule(torch.ceil, torch.Tensor.ceil)
def ceil(input):
    return jnp.ceil(input)


@rule(torch.round, torch.Tensor.round, torch.special.round)
def round(input, *, decimals=0):
    return jnp.round(input, decimals)


@rule(torch.frac, torch.Tensor.frac)
def frac(input):
    return input - jnp.trunc(input)


@family("isnan isinf isfinite isposinf isneginf isreal signbit")
@rule(torch.isnan, torch.Tensor.isnan)
def isnan(input):
    return jnp.isnan(input)


@rule(torch.real, torch.Tensor.real)
def real(input):
    return input.real


@rule(torch.imag, torch.Tensor.imag)
def imag(input):
    return input.imag


@rule(torch.angle, torch.Tensor.angle)
def angle(input):
    return angle_of(input)


def angle_of(x):
    """NaN where it is NaN; JAX's gives pi."""
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        return jnp.angle(x)
    x = x if jnp.issubdtype(x.dtype, jnp.floating) else x.astype(jnp.float32)
    return jnp.where(jnp.isnan(x), x, jnp.where(x < 0, jnp.pi, 0.0).astype(x.dtype))


@rule(torch.frexp, torch.Tensor.frexp)
def frexp(input):
    mantissa, exponent = jnp.frexp(input)
    return Frexp(mantissa, exponent.astype(jnp.int32))


@rule(torch.nan_to_num, torch.Tensor.nan_to_num)
def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    return jnp.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@rule(torch.relu, torch.Tensor.relu, torch.nn.functional.relu)
def relu(input, inplace=False):
    return jax.nn.relu(input)


@rule(torch.bitwise_not, torch.Tensor.bitwise_not)
def bitwise_not(input):
    return ~input


@rule(torch.view_as_real, torch.view_as_real_copy)
def view_as_real(input):
    return jnp.stack([input.real, input.imag], axis=-1)


@rule(torch.view_as_complex, torch.view_as_complex_copy)
def view_as_complex(input):
    return jax.lax.complex(input[..., 0], input[..., 1])
