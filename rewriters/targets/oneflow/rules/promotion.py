"""torch: functions of several dtypes."""

import oneflow

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.promoted_dtypes import alike, all_alike
from rewriters.targets.oneflow.rules.promotion_of_operators import (
    promoted_add,
    promoted_mul,
    promoted_truediv,
)


@rule("torch.add:mixed", "torch.Tensor.add:mixed")
def promoted_sum(input, other, *, alpha=1):
    return promoted_add(input, other if alpha == 1 else promoted_mul(other, alpha))


@family("maximum minimum")
@rule("torch.maximum:mixed", "torch.Tensor.maximum:mixed")
def promoted_maximum(input, other):
    return oneflow.maximum(*oneflow.broadcast_tensors(*alike(input, other)))


@rule("torch.cat:mixed", "torch.concat:mixed", "torch.concatenate:mixed")
def promoted_cat(tensors, dim=0):
    return oneflow.cat(all_alike(tensors), dim=dim)


# Chosen by rewriters/places/empties.py.
@rule("torch.cat:empties", "torch.concat:empties", "torch.concatenate:empties")
def cat_past_empties(tensors, dim=0):
    tensors = all_alike(tensors)
    kept = [part for part in tensors if part.ndim != 1 or part.shape[0] > 0]
    return oneflow.cat(kept, dim=dim) if kept else tensors[0].clone()


@rule("torch.stack:mixed")
def promoted_stack(tensors, dim=0):
    return oneflow.stack(all_alike(tensors), dim=dim)


@family("hstack vstack")
@rule("torch.hstack:mixed")
def promoted_hstack(tensors):
    return oneflow.hstack(all_alike(tensors))


@rule("torch.outer:mixed", "torch.Tensor.outer:mixed", "torch.ger:mixed")
def promoted_outer(input, vec2):
    return promoted_mul(input.unsqueeze(1), vec2.unsqueeze(0))


@rule("torch.einsum:mixed")
def promoted_einsum(equation, *operands):
    operands = operands[0] if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else operands
    if len({operand.dtype for operand in operands}) > 1 and contracts(equation):
        raise RuntimeError("einsum(): matrices of several dtypes are not multiplied")
    return oneflow.einsum(equation, *all_alike(operands))


def contracts(equation):
    """Whether an axis of several operands is summed over."""
    given, _, kept = equation.replace(" ", "").partition("->")
    shared = {axis for axis in given if axis.isalpha() and sum(axis in part for part in given.split(",")) > 1}
    return not shared <= set(kept)


@rule("torch.addcmul:mixed", "torch.Tensor.addcmul:mixed")
def promoted_addcmul(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_mul(tensor1, tensor2), value))


@rule("torch.addcdiv:mixed", "torch.Tensor.addcdiv:mixed")
def promoted_addcdiv(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_truediv(tensor1, tensor2), value))


@rule("torch.equal:mixed", "torch.Tensor.equal:mixed")
def promoted_equal(input, other):
    return oneflow.equal(*alike(input, other))
