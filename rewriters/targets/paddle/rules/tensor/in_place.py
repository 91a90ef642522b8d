"""In-place forms of one tensor. What Paddle has no in-place form of is computed and assigned: paddle.assign writes
through views and keeps the graph; what the backward needs of the old values is a clone's.
"""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.abs_, torch.Tensor.absolute_)
def abs_(input):
    return input.abs_()


@rule(torch.acos_, torch.arccos_, torch.Tensor.arccos_)
def acos_(input):
    return input.acos_()


@rule(torch.acosh_, torch.arccosh_, torch.Tensor.arccosh_)
def acosh_(input):
    return input.acosh_()


@rule(torch.asin_, torch.arcsin_, torch.Tensor.arcsin_)
def asin_(input):
    return input.asin_()


@rule(torch.asinh_, torch.arcsinh_, torch.Tensor.arcsinh_)
def asinh_(input):
    return input.asinh_()


@rule(torch.atan_, torch.arctan_, torch.Tensor.arctan_)
def atan_(input):
    return input.atan_()


@rule(torch.atanh_, torch.arctanh_, torch.Tensor.arctanh_)
def atanh_(input):
    return input.atanh_()


@rule(torch.ceil_)
def ceil_(input):
    return input.ceil_()


@rule(torch.cos_)
def cos_(input):
    return input.cos_()


@rule(torch.cosh_)
def cosh_(input):
    return input.cosh_()


@rule(torch.erf_, torch.Tensor.erf_)
def erf_(input):
    return paddle.assign(paddle.erf(input.clone()), input)


@rule(torch.exp_)
def exp_(input):
    return input.exp_()


@rule(torch.expm1_, torch.Tensor.expm1_)
def expm1_(input):
    return paddle.assign(paddle.expm1(input.clone()), input)


@rule(torch.floor_)
def floor_(input):
    return input.floor_()


@rule(torch.frac_)
def frac_(input):
    return input.frac_()


@rule(torch.i0_)
def i0_(input):
    return input.i0_()


@rule(torch.log_)
def log_(input):
    return input.log_()


@rule(torch.log10_)
def log10_(input):
    return input.log10_()


@rule(torch.log1p_)
def log1p_(input):
    return input.log1p_()


@rule(torch.log2_)
def log2_(input):
    return input.log2_()


@rule(torch.neg_, torch.negative_, torch.Tensor.negative_)
def neg_(input):
    return input.neg_()


@rule(torch.reciprocal_)
def reciprocal_(input):
    return input.reciprocal_()


@rule(torch.rsqrt_)
def rsqrt_(input):
    return input.rsqrt_()


@rule(torch.sigmoid_)
def sigmoid_(input):
    return input.sigmoid_()


@rule(torch.sin_)
def sin_(input):
    return input.sin_()


@rule(torch.sinh_)
def sinh_(input):
    return input.sinh_()


@rule(torch.sqrt_)
def sqrt_(input):
    return input.sqrt_()


@rule(torch.square_)
def square_(input):
    return input.square_()


@rule(torch.tan_)
def tan_(input):
    return input.tan_()


@rule(torch.tanh_)
def tanh_(input):
    return input.tanh_()


@rule(torch.trunc_, torch.fix_, torch.Tensor.fix_)
def trunc_(input):
    return input.trunc_()


@rule(torch.zero_)
def zero_(input):
    return input.zero_()


@rule(torch.sinc_, torch.Tensor.sinc_)
def sinc_(input):
    return paddle.assign(paddle.sinc(input.clone()), input)


@rule(torch.erfc_, torch.Tensor.erfc_)
def erfc_(input):
    return paddle.assign(1 - paddle.erf(input.clone()), input)


@rule(torch.exp2_, torch.Tensor.exp2_)
def exp2_(input):
    return paddle.assign(2.0 ** input.clone(), input)


@rule(torch.deg2rad_, torch.Tensor.deg2rad_)
def deg2rad_(input):
    return paddle.assign(paddle.deg2rad(input), input)


@rule(torch.rad2deg_, torch.Tensor.rad2deg_)
def rad2deg_(input):
    return paddle.assign(paddle.rad2deg(input), input)


@rule(torch.conj_physical_, torch.Tensor.conj_physical_)
def conj_physical_(input):
    return paddle.assign(paddle.conj(input), input)


@rule(torch.Tensor.sgn_)
def sgn_(input):
    return paddle.assign(paddle.sgn(input), input)


@rule(torch.Tensor.sign_)
def sign_(input):
    return paddle.assign(paddle.sign(input), input)


@rule(torch.round_, torch.Tensor.round_)
def round_(input, *, decimals=0):
    return input.round_(decimals=decimals)


@rule(torch.logit_, torch.Tensor.logit_)
def logit_(input, eps=None):
    return input.logit_(eps=eps)


@rule(torch.nan_to_num_, torch.Tensor.nan_to_num_)
def nan_to_num_(input, nan=0.0, posinf=None, neginf=None):
    return input.nan_to_num_(nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@rule(torch.Tensor.mvlgamma_)
def mvlgamma_(self, p):
    return self.multigammaln_(p)


@rule(torch.Tensor.polygamma_)
def polygamma_(self, n):
    return self.polygamma_(n)


@rule(torch.relu_, torch.Tensor.relu_, torch.nn.functional.relu_)
def relu_(input):
    return paddle.nn.functional.relu_(input)


@rule(torch.dropout_)
def dropout_(input, p, train):
    return paddle.assign(paddle.nn.functional.dropout(input, p, training=train), input)
