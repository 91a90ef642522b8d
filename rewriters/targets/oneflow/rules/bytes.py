"""What OneFlow has no kernels for of uint8: computed in int32, and cast back where torch's result is of 8 bits.

Chosen by passes, where something says that a tensor is of 8 bits. It is asked at run time, since it may be of another
dtype at other times.
"""

import oneflow

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.arithmetic import clamp_by_fraction
from rewriters.targets.oneflow.rules.indexing import promoted_where
from rewriters.targets.oneflow.rules.promotion import alike
from rewriters.targets.oneflow.rules.scattering import index_select, masked_fill
from rewriters.targets.oneflow.rules.shapes import repeat_interleave
from rewriters.targets.oneflow.rules.sorting import unique


def widened(value):
    """As int32 where it is of uint8."""
    return value.to(oneflow.int32) if isinstance(value, oneflow.Tensor) and value.dtype == oneflow.uint8 else value


@rule("torch.where:bytes")
def where_of_bytes(condition):
    return oneflow.where(widened(condition))


@rule("torch.where:bytes")
def where_of_bytes(condition, input, other):
    input, other = alike(input, other)
    found = promoted_where(condition.bool(), widened(input), widened(other))
    return found.to(input.dtype) if isinstance(input, oneflow.Tensor) else found


@rule("torch.Tensor.where:bytes")
def bytes_where(self, condition, other):
    self, other = alike(self, other)
    return promoted_where(condition.bool(), widened(self), widened(other)).to(self.dtype)


@rule("torch.index_select:bytes", "torch.Tensor.index_select:bytes")
def index_select_of_bytes(input, dim, index):
    return index_select(widened(input), dim, index).to(input.dtype)


@rule("torch.masked_fill:bytes", "torch.Tensor.masked_fill:bytes")
def masked_fill_of_bytes(input, mask, value):
    return masked_fill(widened(input), mask, value).to(input.dtype)


@rule("torch.repeat_interleave:bytes", "torch.Tensor.repeat_interleave:bytes")
def repeat_interleave_of_bytes(input, repeats, dim=None, *, output_size=None):
    return repeat_interleave(widened(input), repeats, dim).to(input.dtype)


@rule("torch.clamp:bytes", "torch.clip:bytes", "torch.Tensor.clamp:bytes", "torch.Tensor.clip:bytes")
def clamp_of_bytes(input, min=None, max=None):
    if isinstance(min, float) or isinstance(max, float):
        return clamp_by_fraction(input, min, max)
    found = oneflow.clamp(widened(input), min=min, max=max)
    return found.to(input.dtype) if found.dtype == oneflow.int32 else found


@rule("torch.unique:bytes", "torch.Tensor.unique:bytes")
def unique_of_bytes(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    found = unique(widened(input), sorted, return_inverse, return_counts, dim)
    return (found[0].to(input.dtype), *found[1:]) if isinstance(found, tuple) else found.to(input.dtype)
