"""torch._foreach_*: one function over lists of tensors."""

import framework
import torch

from rewriters.rule import family, rule
from rewriters.targets.framework.rules.tensor.outputs import written_to


def along(tensors, other):
    """What each of the tensors is given: of a list its own, else the same."""
    return zip(tensors, other if isinstance(other, (list, tuple)) else [other] * len(tensors), strict=True)


def all_written_to(results, tensors):
    """The results in the tensors of the caller's."""
    for result, tensor in zip(results, tensors, strict=True):
        written_to(result, tensor)
    return tensors


@family(
    "abs acos asin atan ceil cos cosh erf exp expm1 floor log log10 log1p log2 reciprocal round rsqrt sigmoid sign "
    "sin sinh sqrt tan tanh trunc"
)
@rule(torch._foreach_abs)
def foreach_abs(self):
    return tuple(framework.abs(tensor) for tensor in self)


@family(
    "abs acos asin atan ceil cos cosh erf exp expm1 floor log log10 log1p log2 reciprocal round rsqrt sigmoid sign "
    "sin sinh sqrt tan tanh trunc"
)
@rule(torch._foreach_abs_)
def foreach_abs_(self):
    return all_written_to([framework.abs(tensor) for tensor in self], self)


@rule(torch._foreach_neg)
def foreach_neg(self):
    return tuple(-tensor for tensor in self)


@rule(torch._foreach_neg_)
def foreach_neg_(self):
    return all_written_to([-tensor for tensor in self], self)


@rule(torch._foreach_zero_)
def foreach_zero_(self):
    for tensor in self:
        tensor[...] = 0
    return self


@rule(torch._foreach_add)
def foreach_add(self, other, alpha=1):
    return tuple(tensor + (given if alpha == 1 else given * alpha) for tensor, given in along(self, other))


@rule(torch._foreach_add_)
def foreach_add_(self, other, alpha=1):
    return all_written_to(foreach_add(self, other, alpha), self)


@rule(torch._foreach_sub)
def foreach_sub(self, other, alpha=1):
    return tuple(tensor - (given if alpha == 1 else given * alpha) for tensor, given in along(self, other))


@rule(torch._foreach_sub_)
def foreach_sub_(self, other, alpha=1):
    return all_written_to(foreach_sub(self, other, alpha), self)


@family("mul div pow", ("tensor * given", "tensor / given", "tensor**given"))
@rule(torch._foreach_mul)
def foreach_mul(self, other):
    return tuple(tensor * given for tensor, given in along(self, other))


@family("mul div pow", ("tensor * given", "tensor / given", "tensor**given"))
@rule(torch._foreach_mul_)
def foreach_mul_(self, other):
    return all_written_to([tensor * given for tensor, given in along(self, other)], self)


@rule(torch._foreach_lerp)
def foreach_lerp(self, end, weight):
    weights = (given for _, given in along(self, weight))
    return tuple(tensor + given * (to - tensor) for tensor, to, given in zip(self, end, weights, strict=True))


@rule(torch._foreach_lerp_)
def foreach_lerp_(self, end, weight):
    return all_written_to(foreach_lerp(self, end, weight), self)


@family("addcmul addcdiv", ("one * other", "one / other"))
@rule(torch._foreach_addcmul)
def foreach_addcmul(self, tensor1, tensor2, value=1):
    values = (given for _, given in along(self, value))
    parts = zip(self, tensor1, tensor2, values, strict=True)
    return tuple(tensor + given * (one * other) for tensor, one, other, given in parts)


@family("addcmul addcdiv")
@rule(torch._foreach_addcmul_)
def foreach_addcmul_(self, tensor1, tensor2, value=1):
    return all_written_to(foreach_addcmul(self, tensor1, tensor2, value), self)


@rule(torch._foreach_copy_)
def foreach_copy_(self, src, non_blocking=False):
    return all_written_to(src, self)
