"""In-place forms of one tensor. What Paddle has no in-place form of is computed and assigned: paddle.assign writes
through views and keeps the graph; what the backward needs of the old values is a clone's.
"""

import paddle
import torch

from rewriters.rule import IntTensor, becomes, family, rule

becomes(torch.abs_, torch.Tensor.absolute_, paddle.Tensor.abs_)
becomes(torch.logit_, torch.Tensor.logit_, paddle.Tensor.logit_)
becomes(torch.relu_, torch.Tensor.relu_, torch.nn.functional.relu_, paddle.nn.functional.relu_)


@family("acos acosh asin asinh atan atanh neg trunc", "arccos arccosh arcsin arcsinh arctan arctanh negative fix")
@rule(torch.acos_, torch.arccos_, torch.Tensor.arccos_)
def acos_(input):
    return input.acos_()


@family(
    "ceil cos cosh exp floor frac log reciprocal rsqrt sigmoid sin sinh sqrt square tan tanh zero i0 log10 log2 log1p",
)
@rule(torch.ceil_)
def ceil_(input):
    return input.ceil_()


@family("erf sinc expm1")
@rule(torch.erf_, torch.Tensor.erf_)
def erf_(input):
    return paddle.assign(paddle.erf(input.clone()), input)


@rule(torch.erfc_, torch.Tensor.erfc_)
def erfc_(input):
    return paddle.assign(1 - paddle.erf(input.clone()), input)


@rule(torch.exp2_, torch.Tensor.exp2_)
def exp2_(input):
    return paddle.assign(2.0 ** input.clone(), input)


@family("deg2rad_ rad2deg_ conj_physical_", "deg2rad rad2deg conj")
@rule(torch.deg2rad_, torch.Tensor.deg2rad_)
def deg2rad_(input):
    return paddle.assign(paddle.deg2rad(input), input)


@family("sgn sign")
@rule(torch.Tensor.sgn_)
def sgn_(input):
    return paddle.assign(paddle.sgn(input), input)


@rule(torch.Tensor.sgn_)
def sgn_(input: IntTensor):
    return paddle.assign(paddle.sign(input), input)


@rule(torch.round_, torch.Tensor.round_)
def round_(input, *, decimals=0):
    return input.round_(decimals=decimals)


@rule(torch.nan_to_num_, torch.Tensor.nan_to_num_)
def nan_to_num_(input, nan=0.0, posinf=None, neginf=None):
    return input.nan_to_num_(nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@family("mvlgamma polygamma", "p n", "multigammaln polygamma")
@rule(torch.Tensor.mvlgamma_)
def mvlgamma_(self, p):
    return self.multigammaln_(p)


@rule(torch.dropout_)
def dropout_(input, p, train):
    return paddle.assign(paddle.nn.functional.dropout(input, p, training=train), input)
