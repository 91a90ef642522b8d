"""In-place forms of one tensor that OneFlow lacks: computed of a clone, which the backward reads, and written over
the old values, which reaches views and keeps the graph.
"""

import math

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.abs_, torch.Tensor.abs_, torch.Tensor.absolute_)
def abs_(input):
    input[...] = oneflow.abs(input.clone())
    return input


@rule(torch.acos_, torch.Tensor.acos_, torch.arccos_, torch.Tensor.arccos_)
def acos_(input):
    input[...] = oneflow.acos(input.clone())
    return input


@rule(torch.acosh_, torch.Tensor.acosh_, torch.arccosh_, torch.Tensor.arccosh_)
def acosh_(input):
    input[...] = oneflow.acosh(input.clone())
    return input


@rule(torch.asin_, torch.Tensor.asin_, torch.arcsin_, torch.Tensor.arcsin_)
def asin_(input):
    input[...] = oneflow.asin(input.clone())
    return input


@rule(torch.asinh_, torch.Tensor.asinh_, torch.arcsinh_, torch.Tensor.arcsinh_)
def asinh_(input):
    input[...] = oneflow.asinh(input.clone())
    return input


@rule(torch.atan_, torch.Tensor.atan_, torch.arctan_, torch.Tensor.arctan_)
def atan_(input):
    input[...] = oneflow.atan(input.clone())
    return input


@rule(torch.atanh_, torch.Tensor.atanh_, torch.arctanh_, torch.Tensor.arctanh_)
def atanh_(input):
    input[...] = oneflow.atanh(input.clone())
    return input


@rule(torch.ceil_, torch.Tensor.ceil_)
def ceil_(input):
    input[...] = oneflow.ceil(input.clone())
    return input


@rule(torch.cos_, torch.Tensor.cos_)
def cos_(input):
    input[...] = oneflow.cos(input.clone())
    return input


@rule(torch.cosh_, torch.Tensor.cosh_)
def cosh_(input):
    input[...] = oneflow.cosh(input.clone())
    return input


@rule(torch.erf_, torch.Tensor.erf_)
def erf_(input):
    input[...] = oneflow.erf(input.clone())
    return input


@rule(torch.erfc_, torch.Tensor.erfc_)
def erfc_(input):
    input[...] = oneflow.erfc(input.clone())
    return input


@rule(torch.exp_, torch.Tensor.exp_)
def exp_(input):
    input[...] = oneflow.exp(input.clone())
    return input


@rule(torch.expm1_, torch.Tensor.expm1_)
def expm1_(input):
    input[...] = oneflow.expm1(input.clone())
    return input


@rule(torch.log_, torch.Tensor.log_)
def log_(input):
    input[...] = oneflow.log(input.clone())
    return input


@rule(torch.log10_, torch.Tensor.log10_)
def log10_(input):
    input[...] = oneflow.log10(input.clone())
    return input


@rule(torch.log1p_, torch.Tensor.log1p_)
def log1p_(input):
    input[...] = oneflow.log1p(input.clone())
    return input


@rule(torch.log2_, torch.Tensor.log2_)
def log2_(input):
    input[...] = oneflow.log2(input.clone())
    return input


@rule(torch.reciprocal_, torch.Tensor.reciprocal_)
def reciprocal_(input):
    input[...] = oneflow.reciprocal(input.clone())
    return input


@rule(torch.rsqrt_, torch.Tensor.rsqrt_)
def rsqrt_(input):
    input[...] = oneflow.rsqrt(input.clone())
    return input


@rule(torch.sigmoid_, torch.Tensor.sigmoid_)
def sigmoid_(input):
    input[...] = oneflow.sigmoid(input.clone())
    return input


@rule(torch.sinh_, torch.Tensor.sinh_)
def sinh_(input):
    input[...] = oneflow.sinh(input.clone())
    return input


@rule(torch.sqrt_, torch.Tensor.sqrt_)
def sqrt_(input):
    input[...] = oneflow.sqrt(input.clone())
    return input


@rule(torch.tan_, torch.Tensor.tan_)
def tan_(input):
    input[...] = oneflow.tan(input.clone())
    return input


@rule(torch.tanh_, torch.Tensor.tanh_)
def tanh_(input):
    input[...] = oneflow.tanh(input.clone())
    return input


@rule(torch.trunc_, torch.Tensor.trunc_, torch.fix_, torch.Tensor.fix_)
def trunc_(input):
    input[...] = oneflow.trunc(input.clone())
    return input


@rule(torch.neg_, torch.Tensor.neg_, torch.negative_, torch.Tensor.negative_)
def neg_(input):
    input[...] = input * -1
    return input


@rule(torch.square_, torch.Tensor.square_)
def square_(input):
    input[...] = oneflow.square(input.clone())
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


@rule(torch.sin_)
def sin_(input):
    return input.sin_()


@rule(torch.floor_)
def floor_(input):
    return input.floor_()


@rule(torch.fill_)
def fill_(input, value):
    return input.fill_(value)


@rule("torch.Tensor.fill_:strided", "torch.fill_:strided")
def fill_strided(input, value):
    # OneFlow's own writes one element after the other, whatever the strides
    input[...] = value
    return input


@rule("torch.Tensor.zero_:strided", "torch.zero_:strided")
def zero_strided(input):
    input[...] = 0
    return input


@rule(torch.zero_)
def zero_(input):
    return input.zero_()


@rule(torch.conj_physical_)
def conj_physical_(input):
    return input


@rule(torch.ldexp_)
def ldexp_(input, other):
    input[...] = input.clone() * oneflow.pow(2.0, other)
    return input
