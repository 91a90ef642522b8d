"""torch._foreach_*: one function over lists of tensors."""

import framework
import torch

from rewriters.rule import family, rule
from rewriters.targets.framework.rules.linalg.norms import vector_norm
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


def beside(tensor, given):
    """A tensor and what it is compared with, as two tensors."""
    if isinstance(given, framework.Tensor):
        return tensor, given
    if isinstance(given, float) and not framework.is_floating_point(tensor):
        tensor = tensor * 1.0
    return tensor, framework.full_like(tensor, given)


@family("maximum clamp_min", ("framework.maximum(", "framework.maximum("))
@rule(torch._foreach_maximum)
def foreach_maximum(self, other):
    return tuple(framework.maximum(*beside(tensor, given)) for tensor, given in along(self, other))


@family("maximum clamp_min")
@rule(torch._foreach_maximum_)
def foreach_maximum_(self, other):
    return all_written_to(foreach_maximum(self, other), self)


@family("minimum clamp_max", ("framework.minimum(", "framework.minimum("))
@rule(torch._foreach_minimum)
def foreach_minimum(self, other):
    return tuple(framework.minimum(*beside(tensor, given)) for tensor, given in along(self, other))


@family("minimum clamp_max")
@rule(torch._foreach_minimum_)
def foreach_minimum_(self, other):
    return all_written_to(foreach_minimum(self, other), self)


@rule(torch._foreach_max)
def foreach_max(self):
    return tuple(tensor.max() for tensor in self)


@rule(torch._foreach_norm)
def foreach_norm(self, ord=2, dtype=None):
    return tuple(vector_norm(tensor, ord, dtype=dtype) for tensor in self)


@rule(
    torch.optim.Optimizer._group_tensors_by_device_and_dtype,
    "torch.utils._foreach_utils._group_tensors_by_device_and_dtype",
)
def tensors_by_kind(tensorlistlist, with_indices=False):
    groups = {}
    for index, ones in enumerate(zip(*tensorlistlist, strict=True)):
        kept, indices = groups.setdefault((ones[0].device, ones[0].dtype), ([[] for _ in ones], []))
        for held, one in zip(kept, ones, strict=True):
            held.append(one)
        indices.extend([index] if with_indices else [])
    return groups


@rule("torch.optim.optimizer._default_to_fused_or_foreach")
def fused_or_foreach(params, differentiable, use_fused=False):
    return False, False
