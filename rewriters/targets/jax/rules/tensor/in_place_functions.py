"""Methods that change a tensor, of which a function computes the new value; it keeps the tensor's dtype."""

import math

import jax
import jax.numpy as jnp
import numpy
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.arithmetic import (
    atan2,
    bitwise_left_shift,  # noqa: F401 (families name them)
    bitwise_right_shift,  # noqa: F401
    heaviside,
    ldexp,
)
from rewriters.targets.jax.rules.nn.functional.activation import celu, rrelu, selu
from rewriters.targets.jax.rules.pointwise import digamma_of, frac, logit, mvlgamma, polygamma_of
from rewriters.targets.jax.rules.products import (
    addbmm,  # noqa: F401 (families name them)
    addmm,
    addmv,
    addr,  # noqa: F401
    baddbmm,  # noqa: F401
    renorm,
)
from rewriters.targets.jax.rules.scattering import index_put, index_reduce, masked_scatter, put
from rewriters.targets.jax.rules.shapes import as_strided
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


@rule(torch.addmv_)
def function_addmv_(self, mat, vec, *, beta=1, alpha=1):
    self = addmv(self, mat, vec, beta=beta, alpha=alpha).astype(self.dtype)
    return self


@family("erf erfc")
@rule(torch.erf_)
def function_erf_(self):
    self = jax.scipy.special.erf(self)
    return self


@rule(torch.i0_, torch.Tensor.i0_)
def i0_(self):
    self = jnp.i0(self)
    return self


@rule(torch.conj_physical_, torch.Tensor.conj_physical_)
def conj_physical_(self):
    self = jnp.conj(self)
    return self


@family("gcd lcm")
@rule(torch.gcd_)
def function_gcd_(self, other):
    self = jnp.gcd(self, other).astype(self.dtype)
    return self


@rule(torch.ldexp_, torch.Tensor.ldexp_)
def ldexp_(self, other):
    self = ldexp(self, other).astype(self.dtype)
    return self


@rule(torch.Tensor.float_power_)
def float_power_(self, exponent):
    if self.dtype not in (jnp.float64, jnp.complex128):
        raise RuntimeError(f"the base given to float_power_ has dtype {self.dtype} but the result is of float64")
    self = self**exponent
    return self


@rule(torch.Tensor.polygamma_)
def polygamma_(self, n):
    self = digamma_of(self) if n == 0 else polygamma_of(n, self)
    return self


@rule(torch.Tensor.index_reduce_)
def index_reduce_(self, dim, index, source, reduce, *, include_self=True):
    self = index_reduce(self, dim, index, source, reduce, include_self=include_self)
    return self


@rule(torch.Tensor.fill_diagonal_)
def fill_diagonal_(self, fill_value, wrap=False):
    self = jnp.fill_diagonal(self, fill_value, wrap=wrap, inplace=False)
    return self


@rule(torch.Tensor.cauchy_)
def cauchy_(self, median=0, sigma=1, *, generator=None, rngs):
    self = median + sigma * (rngs if generator is None else generator).cauchy(self.shape, self.dtype)
    return self


@rule(torch.Tensor.log_normal_)
def log_normal_(self, mean=1, std=2, *, generator=None, rngs):
    self = jnp.exp(mean + std * (rngs if generator is None else generator).normal(self.shape, self.dtype))
    return self


@rule(torch.Tensor.geometric_)
def geometric_(self, p, *, generator=None, rngs):
    self = (rngs if generator is None else generator).geometric(p, self.shape).astype(self.dtype)
    return self


@rule(torch.Tensor.apply_)
def apply_(self, callable):
    self = jnp.asarray(numpy.vectorize(callable, otypes=[self.dtype])(self))
    return self


@rule(torch.Tensor.map_)
def map_(self, tensor, callable):
    self = jnp.asarray(numpy.vectorize(callable, otypes=[self.dtype])(self, tensor))
    return self


def resized(x, shape):
    """The elements as they lie, in another shape; where there are too few, zeros: torch's are of any value."""
    size = math.prod(shape)
    return jnp.pad(x.reshape(-1)[:size], (0, max(size - x.size, 0))).reshape(shape)


@rule(torch.Tensor.resize_)
def resize_(self, *size: int, memory_format=None):
    self = resized(self, (*size,))
    return self


@rule(torch.Tensor.resize_)
def resize_(self, size: list | tuple, *, memory_format=None):
    self = resized(self, size)
    return self


@rule(torch.Tensor.resize_as_)
def resize_as_(self, tensor, *, memory_format=None):
    self = resized(self, tensor.shape)
    return self


@rule(torch.Tensor.as_strided_, torch.as_strided_)
def as_strided_(self, size, stride, storage_offset=0):
    self = as_strided(self, size, stride, storage_offset)
    return self


@rule(torch.celu_)
def celu_(self, alpha=1.0):
    self = celu(self, alpha)
    return self


@rule(torch.selu_)
def selu_(self):
    self = selu(self)
    return self


@rule(torch.threshold_)
def threshold_(self, threshold, value):
    self = jnp.where(self > threshold, self, jnp.asarray(value).astype(self.dtype))
    return self


@rule(torch.rrelu_)
def rrelu_(self, lower=1.0 / 8, upper=1.0 / 3, training=False, *, rngs):
    self = rrelu(self, lower, upper, training, rngs=rngs)
    return self
