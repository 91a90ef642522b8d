"""What Paddle has no kernels for of 8 bits: computed in int32, and cast back where torch's result is of 8 bits.

Chosen by passes/byte_kernels.py, where something says that a tensor is of 8 bits. It is asked at run time, since it may
be of another dtype at other times.
"""

import paddle

from rewriters.rule import Values, family, rule
from rewriters.targets.paddle.rules.indexing import nonzero
from rewriters.targets.paddle.rules.pointwise import clamp
from rewriters.targets.paddle.rules.promoted_dtypes import alike
from rewriters.targets.paddle.rules.promotion import promoted_where
from rewriters.targets.paddle.rules.sorting import unique


def widened(value):
    """As int32 where it is of 8 bits, or of truth values, for which Paddle has some of these kernels neither."""
    narrow = isinstance(value, paddle.Tensor) and value.dtype in (paddle.uint8, paddle.int8, paddle.bool)
    return value.astype("int32") if narrow else value


def in_wide(function, input, other):
    """What a function gives of two, of the dtype to which torch promotes them."""
    input, other = alike(input, other)
    dtype = (input if isinstance(input, paddle.Tensor) else other).dtype
    return function(widened(input), widened(other)).astype(dtype)


@family("mul sub", "* -")
@rule("torch.Tensor.__mul__:bytes", "torch.mul:bytes", "torch.Tensor.mul:bytes")
def mul_of_bytes(input, other):
    return in_wide(lambda one, two: one * two, input, other)


@family("mod pow", "remainder pow", "% **")
@rule("torch.Tensor.__mod__:bytes", "torch.remainder:bytes", "torch.Tensor.remainder:bytes")
def mod_of_bytes(input, other):
    return in_wide(lambda one, two: one % two, input, other)


@family("imul isub", "mul sub", "* -")
@rule("torch.Tensor.__imul__:bytes", "torch.Tensor.mul_:bytes")
def imul_of_bytes(self, other):
    return paddle.assign((widened(self) * widened(other)).astype(self.dtype), self)


@family("maximum minimum")
@rule("torch.maximum:bytes", "torch.Tensor.maximum:bytes")
def maximum_of_bytes(input, other):
    return in_wide(paddle.maximum, input, other)


@family("logical_and logical_or logical_xor")
@rule("torch.logical_and:bytes", "torch.Tensor.logical_and:bytes")
def logical_and_of_bytes(input, other):
    return paddle.logical_and(widened(input), widened(other))


@rule("torch.logical_not:bytes", "torch.Tensor.logical_not:bytes")
def logical_not_of_bytes(input):
    return paddle.logical_not(widened(input))


@rule("torch.nonzero:bytes", "torch.Tensor.nonzero:bytes")
def nonzero_of_bytes(input, *, as_tuple=False):
    return nonzero(widened(input), as_tuple=as_tuple)


@rule("torch.where:bytes")
def where_of_bytes(condition):
    return paddle.where(widened(condition))


@rule("torch.where:bytes")
def where_of_bytes(condition, input, other):
    input, other = alike(input, other)
    found = promoted_where(condition.astype("bool"), widened(input), widened(other))
    return found.astype(input.dtype) if isinstance(input, paddle.Tensor) else found


@rule("torch.Tensor.where:bytes")
def bytes_where(self, condition, other):
    self, other = alike(self, other)
    return promoted_where(condition.astype("bool"), widened(self), widened(other)).astype(self.dtype)


@family("triu tril")
@rule("torch.triu:bytes", "torch.Tensor.triu:bytes")
def triu_of_bytes(input, diagonal=0):
    return paddle.triu(widened(input), diagonal).astype(input.dtype)


@rule("torch.diag:bytes", "torch.Tensor.diag:bytes")
def diag_of_bytes(input, diagonal=0):
    return paddle.diag(widened(input), diagonal).astype(input.dtype)


@rule("torch.Tensor.fill_diagonal_:bytes")
def fill_diagonal_of_bytes(self, fill_value, wrap=False):
    return paddle.assign(widened(self).fill_diagonal_(fill_value, wrap=wrap).astype(self.dtype), self)


@rule("torch.flip:bytes", "torch.Tensor.flip:bytes")
def flip_of_bytes(input, dims: int | tuple | list):
    return paddle.flip(widened(input), dims).astype(input.dtype)


@rule("torch.Tensor.flip:bytes")
def flip_of_bytes(input, *dims: int):
    return paddle.flip(widened(input), dims).astype(input.dtype)


@rule("torch.roll:bytes", "torch.Tensor.roll:bytes")
def roll_of_bytes(input, shifts, dims=None):
    return paddle.roll(widened(input), shifts, axis=dims).astype(input.dtype)


@rule("torch.index_select:bytes", "torch.Tensor.index_select:bytes")
def index_select_of_bytes(input, dim, index):
    return paddle.index_select(widened(input), index, axis=dim).astype(input.dtype)


@rule("torch.repeat_interleave:bytes", "torch.Tensor.repeat_interleave:bytes")
def repeat_interleave_of_bytes(input, repeats, dim=None, *, output_size=None):
    return paddle.repeat_interleave(widened(input), repeats, axis=dim).astype(input.dtype)


@rule("torch.Tensor.expand_as:bytes")
def expand_as_of_bytes(self, other):
    return self.expand(other.shape)


@rule("torch.nn.functional.pad:bytes")
def pad_of_bytes(input, pad, mode="constant", value=None):
    filled = 0 if value is None else value
    return paddle.compat.nn.functional.pad(widened(input), pad, mode=mode, value=filled).astype(input.dtype)


@rule("torch.clamp:bytes", "torch.clip:bytes", "torch.Tensor.clamp:bytes", "torch.Tensor.clip:bytes")
def clamp_of_bytes(input, min=None, max=None):
    found = clamp(widened(input), min, max)
    return found.astype(input.dtype) if found.dtype == paddle.int32 else found


@family("abs square")
@rule("torch.abs:bytes", "torch.Tensor.abs:bytes")
def abs_of_bytes(input):
    return paddle.abs(widened(input)).astype(input.dtype)


@family("max min")
@rule("torch.max:bytes", "torch.Tensor.max:bytes")
def max_of_bytes(input):
    return paddle.max(widened(input)).astype(input.dtype)


@family("max min", "maximum minimum")
@rule("torch.max:bytes", "torch.Tensor.max:bytes")
def max_of_bytes(input, other: paddle.Tensor):
    return in_wide(paddle.maximum, input, other)


@family("max min")
@rule("torch.max:bytes", "torch.Tensor.max:bytes")
def max_of_bytes(input, dim: int, keepdim=False):
    found = paddle.compat.max(widened(input), dim, keepdim=keepdim)
    return type(found)(found.values.astype(input.dtype), found.indices)


@family("amax amin")
@rule("torch.amax:bytes", "torch.Tensor.amax:bytes")
def amax_of_bytes(input, dim=(), keepdim=False):
    return paddle.amax(widened(input), axis=dim, keepdim=keepdim).astype(input.dtype)


@rule("torch.unique:bytes", "torch.Tensor.unique:bytes")
def unique_of_bytes(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    found = unique(widened(input), sorted, return_inverse, return_counts, dim)
    return (found[0].astype(input.dtype), *found[1:]) if isinstance(found, tuple) else found.astype(input.dtype)


@rule("torch.bincount:bytes", "torch.Tensor.bincount:bytes")
def bincount_of_bytes(input, weights=None, minlength=0):
    return paddle.bincount(widened(input), weights=weights, minlength=minlength)


@rule("torch.topk:bytes", "torch.Tensor.topk:bytes")
def topk_of_bytes(input, k, dim=-1, largest=True, sorted=True):
    values, indices = paddle.topk(widened(input), k, axis=dim, largest=largest, sorted=sorted)
    return Values(values.astype(input.dtype), indices)


@rule("torch.diff:bytes", "torch.Tensor.diff:bytes")
def diff_of_bytes(input, n=1, dim=-1):
    return paddle.diff(widened(input), n=n, axis=dim).astype(input.dtype)


@rule("torch.outer:bytes", "torch.Tensor.outer:bytes")
def outer_of_bytes(input, vec2):
    return in_wide(paddle.outer, input, vec2)
