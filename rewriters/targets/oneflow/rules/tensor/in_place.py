"""In-place forms of one tensor that OneFlow lacks: computed of a clone, which the backward reads, and written over
the old values, which reaches views and keeps the graph.
"""

import math

import oneflow
import torch

from rewriters.rule import IntTensor, becomes, family, rule

becomes(torch.fill_, oneflow.Tensor.fill_)


@rule(torch.abs_, torch.Tensor.abs_, torch.Tensor.absolute_)
def abs_(input):
    input[...] = oneflow.abs(input.clone())
    return input


@family("acos acosh asin asinh atan atanh trunc", "arccos arccosh arcsin arcsinh arctan arctanh fix")
@rule(torch.acos_, torch.Tensor.acos_, torch.arccos_, torch.Tensor.arccos_)
def acos_(input):
    input[...] = oneflow.acos(input.clone())
    return input


@family("ceil cos cosh erf erfc exp log reciprocal rsqrt sigmoid sinh sqrt tan tanh square")
@rule(torch.ceil_, torch.Tensor.ceil_)
def ceil_(input):
    input[...] = oneflow.ceil(input.clone())
    return input


@family("floor ceil trunc round")
@rule(torch.floor_, torch.Tensor.floor_)
def floor_(input: IntTensor):
    return input


@rule(torch.Tensor.floor_)
def floor_(input):
    return input.floor_()


@family("expm1 log1p", "expm1_ log1p_")
@rule(torch.expm1_, torch.Tensor.expm1_)
def expm1_(input):
    input[...] = oneflow.expm1(input.clone())
    return input


@family("10 2")
@rule(torch.log10_, torch.Tensor.log10_)
def log10_(input):
    input[...] = oneflow.log10(input.clone())
    return input


@rule(torch.neg_, torch.Tensor.neg_, torch.negative_, torch.Tensor.negative_)
def neg_(input):
    input[...] = input * -1
    return input


@rule(torch.exp2_, torch.Tensor.exp2_)
def exp2_(input):
    input[...] = oneflow.pow(2.0, input.clone())
    return input


@rule(torch.deg2rad_, torch.Tensor.deg2rad_)
def deg2rad_(input):
    input[...] = input * (math.pi / 180)
    return input


@rule(torch.rad2deg_, torch.Tensor.rad2deg_)
def rad2deg_(input):
    input[...] = input * (180 / math.pi)
    return input


@rule(torch.frac_, torch.Tensor.frac_)
def frac_(input):
    input[...] = input - oneflow.trunc(input)
    return input


@rule(torch.Tensor.sign_, torch.Tensor.sgn_)
def sign_(input):
    input[...] = oneflow.sign(input.clone())
    return input


@rule(torch.Tensor.logical_not_)
def logical_not_(input):
    input[...] = oneflow.logical_not(input)
    return input


@rule(torch.selu_, torch.nn.functional.selu_)
def selu_(input):
    input[...] = oneflow.nn.functional.selu(input.clone())
    return input


@rule(torch.nan_to_num_, torch.Tensor.nan_to_num_)
def nan_to_num_(input, nan=0.0, posinf=None, neginf=None):
    limits = oneflow.finfo(input.dtype)
    filled = oneflow.masked_fill(input.clone(), oneflow.isnan(input), 0.0 if nan is None else nan)
    filled = oneflow.masked_fill(filled, input == math.inf, limits.max if posinf is None else posinf)
    input[...] = oneflow.masked_fill(filled, input == -math.inf, limits.min if neginf is None else neginf)
    return input


@rule(torch.sinc_, torch.Tensor.sinc_)
def sinc_(input):
    old = input.clone()
    at_zero = old == 0
    angle = oneflow.masked_fill(old, at_zero, 1.0) * math.pi
    input[...] = oneflow.masked_fill(oneflow.sin(angle) / angle, at_zero, 1.0)
    return input


@family("sin floor zero")
@rule(torch.sin_)
def sin_(input):
    return input.sin_()


@rule("torch.Tensor.fill_:strided", "torch.fill_:strided")
def fill_strided(input, value):
    # OneFlow's own writes one element after the other, whatever the strides
    input[...] = value
    return input


@rule("torch.Tensor.zero_:strided", "torch.zero_:strided")
def zero_strided(input):
    input[...] = 0
    return input


@rule(torch.conj_physical_)
def conj_physical_(input):
    return input


@rule(torch.ldexp_)
def ldexp_(input, other):
    input[...] = input.clone() * oneflow.pow(2.0, other)
    return input
