"""Methods that change a tensor, of which a function computes the new value; it keeps the tensor's dtype."""

import jax.numpy as jnp
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.arithmetic import (
    atan2,
    bitwise_left_shift,  # noqa: F401 (families name them)
    bitwise_right_shift,  # noqa: F401
    heaviside,
)
from rewriters.targets.jax.rules.pointwise import frac, logit, mvlgamma
from rewriters.targets.jax.rules.products import (
    addbmm,  # noqa: F401 (families name them)
    addmm,
    addmv,  # noqa: F401
    addr,  # noqa: F401
    baddbmm,  # noqa: F401
    renorm,
)
from rewriters.targets.jax.rules.scattering import index_put, masked_scatter, put
from rewriters.targets.jax.rules.special import igamma, igammac  # noqa: F401 (families name them)


@family("addmm addbmm baddbmm addmv addr")
@rule(torch.Tensor.addmm_)
def addmm_(self, tensor1, tensor2, *, beta=1, alpha=1):
    self = addmm(self, tensor1, tensor2, beta=beta, alpha=alpha).astype(self.dtype)
    return self


@rule(torch.Tensor.atan2_, torch.Tensor.arctan2_)
def atan2_(self, other):
    self = atan2(self, other).astype(self.dtype)
    return self


@family("heaviside igamma igammac bitwise_left_shift bitwise_right_shift")
@rule(torch.Tensor.heaviside_)
def heaviside_(self, other):
    self = heaviside(self, other).astype(self.dtype)
    return self


@family("cumsum cumprod")
@rule(torch.Tensor.cumsum_)
def cumsum_(self, dim, *, dtype=None):
    self = jnp.cumsum(self, axis=dim, dtype=self.dtype)
    return self


@rule(torch.Tensor.bitwise_not_)
def bitwise_not_(self):
    self = ~self
    return self


@rule(torch.Tensor.fix_, torch.fix_)
def fix_(self):
    self = jnp.trunc(self)
    return self


@rule(torch.Tensor.frac_, torch.frac_)
def frac_(self):
    self = frac(self)
    return self


@rule(torch.Tensor.sgn_)
def sgn_(self):
    self = jnp.sign(self)
    return self


@rule(torch.Tensor.logit_, torch.logit_)
def logit_(self, eps=None):
    self = logit(self, eps)
    return self


@rule(torch.Tensor.mvlgamma_)
def mvlgamma_(self, p):
    self = mvlgamma(self, p)
    return self


@rule(torch.Tensor.renorm_)
def renorm_(self, p, dim, maxnorm):
    self = renorm(self, p, dim, maxnorm)
    return self


@rule(torch.Tensor.index_put_, torch.index_put_)
def index_put_(self, indices, values, accumulate=False):
    self = index_put(self, indices, values, accumulate)
    return self


@rule(torch.Tensor.masked_scatter_)
def masked_scatter_(self, mask, source):
    self = masked_scatter(self, mask, source)
    return self


@rule(torch.Tensor.put_)
def put_(self, index, source, accumulate=False):
    self = put(self, index, source, accumulate)
    return self


@family("greater less not_equal", "> < !=")
@rule(torch.Tensor.greater_)
def greater_(self, other):
    self = (self > other).astype(self.dtype)
    return self


@family("greater_equal less_equal", ">= <=")
@rule(torch.Tensor.greater_equal_)
def greater_equal_(self, other):
    self = (self >= other).astype(self.dtype)
    return self
