"""Methods that change a tensor: the name is bound to another array, since JAX's do not change."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import ComplexTensor, FloatTensor, Rank, family, rule
from rewriters.targets.jax.rules.arithmetic import clamped, truncated, xlogy_of
from rewriters.targets.jax.rules.pointwise import digamma_of
from rewriters.targets.jax.rules.promoted_dtypes import alike
from rewriters.targets.jax.rules.scattering import filled_along, index_add, index_copy, reduced_into, scattered
from rewriters.targets.jax.rules.shapes import squeezed


@family("acos acosh asin asinh atan atanh", "arccos arccosh arcsin arcsinh arctan arctanh")
@rule(torch.Tensor.acos_, torch.Tensor.arccos_, torch.acos_, torch.arccos_)
def acos_(self):
    self = jnp.arccos(self)
    return self


@family(
    "abs ceil cos cosh deg2rad exp exp2 expm1 floor log log10 log1p log2 rad2deg round sign sin sinh sinc sqrt square "
    "tan tanh trunc"
)
@rule(torch.Tensor.abs_)
def abs_(self):
    self = jnp.abs(self)
    return self


@family(
    "abs ceil cos cosh deg2rad exp exp2 expm1 floor log log10 log1p log2 rad2deg round sin sinh sinc sqrt square "
    "tan tanh trunc"
)
@rule(torch.abs_)
def function_abs_(self):
    self = jnp.abs(self)
    return self


@rule(torch.Tensor.absolute_)
def absolute_(self):
    self = jnp.abs(self)
    return self


@rule(torch.Tensor.neg_, torch.Tensor.negative_, torch.neg_, torch.negative_)
def neg_(self):
    self = -self
    return self


@rule(torch.Tensor.reciprocal_, torch.reciprocal_)
def reciprocal_(self):
    self = 1 / self
    return self


@rule(torch.Tensor.rsqrt_, torch.rsqrt_)
def rsqrt_(self):
    self = jax.lax.rsqrt(self)
    return self


@rule(torch.Tensor.sigmoid_, torch.sigmoid_)
def sigmoid_(self):
    self = jax.nn.sigmoid(self)
    return self


@rule(torch.Tensor.relu_, torch.relu_, torch.nn.functional.relu_)
def relu_(self):
    self = jax.nn.relu(self)
    return self


@family("erf erfc erfinv")
@rule(torch.Tensor.erf_)
def erf_(self):
    self = jax.scipy.special.erf(self)
    return self


@rule(torch.Tensor.lgamma_)
def lgamma_(self):
    self = jax.scipy.special.gammaln(self)
    return self


@rule(torch.Tensor.digamma_)
def digamma_(self):
    self = digamma_of(self)
    return self


@rule(torch.Tensor.nan_to_num_, torch.nan_to_num_)
def nan_to_num_(self, nan=0.0, posinf=None, neginf=None):
    self = jnp.nan_to_num(self, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)
    return self


@rule(torch.Tensor.add_)
def add_(self, other, *, alpha=1):
    self = self + other if alpha == 1 else self + alpha * other
    return self


@rule(torch.Tensor.sub_, torch.Tensor.subtract_)
def sub_(self, other, *, alpha=1):
    self = self - other if alpha == 1 else self - alpha * other
    return self


@rule(torch.Tensor.mul_, torch.Tensor.multiply_)
def mul_(self, other):
    self = self * other
    return self


@rule(torch.Tensor.div_, torch.Tensor.divide_, torch.Tensor.true_divide_)
def div_(self, other):
    self = self / other
    return self


@rule(torch.Tensor.div_, torch.Tensor.divide_)
def div_(self, other, *, rounding_mode):
    if rounding_mode is None:
        self = self / other
    elif rounding_mode == "floor":
        self = jnp.floor_divide(*alike(self, other))
    else:
        self = truncated(*alike(self, other))
    return self


@rule(torch.Tensor.floor_divide_)
def floor_divide_(self, other):
    self = self // other
    return self


@rule(torch.Tensor.remainder_)
def remainder_(self, other):
    self = self % other
    return self


@rule(torch.Tensor.pow_)
def pow_(self, exponent):
    self = self**exponent
    return self


@rule(torch.Tensor.fmod_)
def fmod_(self, other):
    self = jnp.fmod(*alike(self, other))
    return self


@family("copysign hypot gcd lcm nextafter")
@rule(torch.Tensor.copysign_)
def copysign_(self, other):
    self = jnp.copysign(self, other)
    return self


@rule(torch.Tensor.xlogy_, torch.xlogy_)
def xlogy_(self, other):
    self = xlogy_of(self, jnp.log, other)
    return self


@rule(torch.Tensor.lerp_)
def lerp_(self, end, weight):
    self = self + weight * (end - self)
    return self


@rule(torch.Tensor.addcmul_)
def addcmul_(self, tensor1, tensor2, *, value=1):
    self = self + tensor1 * tensor2 if value == 1 else self + value * tensor1 * tensor2
    return self


@rule(torch.Tensor.addcdiv_)
def addcdiv_(self, tensor1, tensor2, *, value=1):
    self = self + tensor1 / tensor2 if value == 1 else self + value * tensor1 / tensor2
    return self


@rule(torch.Tensor.clamp_, torch.Tensor.clip_, torch.clamp_, torch.clip_)
def clamp_(self, min=None, max=None):
    self = clamped(self, min, max)
    return self


@rule(torch.Tensor.clamp_min_, torch.clamp_min_)
def clamp_min_(self, min):
    self = clamped(self, min, None)
    return self


@rule(torch.Tensor.clamp_max_, torch.clamp_max_)
def clamp_max_(self, max):
    self = clamped(self, None, max)
    return self


@rule(torch.Tensor.zero_, torch.zero_)
def zero_(self):
    self = jnp.zeros_like(self)
    return self


@rule(torch.Tensor.fill_, torch.fill_)
def fill_(self, value):
    self = jnp.full_like(self, value)
    return self


@rule(torch.Tensor.copy_)
def copy_(self, src, non_blocking=False):
    self = jnp.broadcast_to(src, self.shape).astype(self.dtype)
    return self


@rule(torch.Tensor.masked_fill_)
def masked_fill_(self: FloatTensor | ComplexTensor, mask, value: bool | int | float):
    self = jnp.where(mask, value, self)
    return self


@rule(torch.Tensor.masked_fill_)
def masked_fill_(self, mask, value: bool | int | float):
    self = jnp.where(mask, jnp.array(value, self.dtype), self)
    return self


@rule(torch.Tensor.masked_fill_)
def masked_fill_(self, mask, value):
    self = jnp.where(mask, jnp.asarray(value).astype(self.dtype), self)
    return self


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, src, *, reduce=None):
    self = scattered(self, dim, index, src, reduce)
    return self


@rule(torch.Tensor.scatter_)
def scatter_(self, dim, index, *, value, reduce=None):
    self = scattered(self, dim, index, value, reduce)
    return self


@rule(torch.Tensor.scatter_add_)
def scatter_add_(self, dim, index, src):
    self = scattered(self, dim, index, src, "add")
    return self


@rule(torch.Tensor.scatter_reduce_)
def scatter_reduce_(self, dim, index, src, reduce, *, include_self=True):
    self = reduced_into(self, dim, index, src, reduce, include_self)
    return self


@rule(torch.Tensor.index_fill_)
def index_fill_(self, dim, index, value):
    self = filled_along(self, dim, index, value)
    return self


@rule(torch.Tensor.index_add_)
def index_add_(self, dim, index, source, *, alpha=1):
    self = index_add(self, dim, index, source, alpha=alpha)
    return self


@rule(torch.Tensor.index_copy_)
def index_copy_(self, dim, index, source):
    self = index_copy(self, dim, index, source)
    return self


@rule(torch.Tensor.unsqueeze_)
def unsqueeze_(self, dim):
    self = jnp.expand_dims(self, dim)
    return self


@rule(torch.Tensor.squeeze_)
def squeeze_(self):
    self = self.squeeze()
    return self


@rule(torch.Tensor.squeeze_)
def squeeze_(self, dim):
    self = squeezed(self, dim)
    return self


@rule(torch.Tensor.round_, torch.round_)
def round_(self, *, decimals):
    self = jnp.round(self, decimals)
    return self


@rule(torch.Tensor.transpose_, torch.Tensor.swapaxes_, torch.Tensor.swapdims_)
def transpose_(self: Rank[0], dim0, dim1):
    return self


@rule(torch.Tensor.transpose_, torch.Tensor.swapaxes_, torch.Tensor.swapdims_)
def transpose_(self, dim0, dim1):
    self = self.swapaxes(dim0, dim1)
    return self


@rule(torch.Tensor.t_)
def t_(self):
    self = self.T
    return self


@family("tril triu")
@rule(torch.Tensor.tril_)
def tril_(self, diagonal=0):
    self = jnp.tril(self, diagonal)
    return self


@family("logical_and logical_or logical_xor")
@rule(torch.Tensor.logical_and_)
def logical_and_(self, other):
    self = jnp.logical_and(self, other).astype(self.dtype)
    return self


@rule(torch.Tensor.logical_not_)
def logical_not_(self):
    self = jnp.logical_not(self).astype(self.dtype)
    return self


@family("eq ne lt le gt ge", "== != < <= > >=")
@rule(torch.Tensor.eq_)
def eq_(self, other):
    self = (self == other).astype(self.dtype)
    return self


@family("bitwise_and bitwise_or bitwise_xor", "& | ^")
@rule(torch.Tensor.bitwise_and_)
def bitwise_and_(self, other):
    self = self & other
    return self


@rule(torch.Tensor.detach_, torch.detach_)
def detach_(self):
    self = jax.lax.stop_gradient(self)
    return self


@rule(torch.Tensor.normal_)
def normal_(self, mean=0.0, std=1.0, *, generator=None, rngs):
    self = mean + std * (rngs if generator is None else generator).normal(self.shape, self.dtype)
    return self


@rule(torch.Tensor.uniform_)
def uniform_(self, from_=0.0, to=1.0, *, generator=None, rngs):
    self = (rngs if generator is None else generator).uniform(self.shape, self.dtype, from_, to)
    return self


@rule(torch.Tensor.exponential_)
def exponential_(self, lambd=1.0, *, generator=None, rngs):
    self = (rngs if generator is None else generator).exponential(self.shape, self.dtype) / lambd
    return self


@rule(torch.Tensor.bernoulli_)
def bernoulli_(self, p=0.5, *, generator=None, rngs):
    self = (rngs if generator is None else generator).bernoulli(p, self.shape).astype(self.dtype)
    return self


@rule(torch.Tensor.random_)
def random_(self, low, to, *, generator=None, rngs):
    self = (rngs if generator is None else generator).randint(self.shape, low, to, jnp.int64).astype(self.dtype)
    return self
