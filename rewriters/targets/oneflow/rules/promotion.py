"""Promotion of dtypes: OneFlow's operators take the dtype of the operand that has axes, whatever the other's kind.

``torch.Tensor.__mul__:mixed`` takes the operands as they stand. Division is here too: it rounds in its own way.
"""

import functools

import numpy
import oneflow
import torch

from rewriters.rule import BoolTensor, FloatTensor, IntTensor, rule


def category(dtype):
    """0 for bool, 1 for integers, 2 for floats."""
    name = str(dtype).rpartition(".")[2]
    return 0 if name == "bool" else 2 if "float" in name else 1


def bits(dtype):
    return int("".join(letter for letter in str(dtype) if letter.isdigit()) or 8)


@rule(torch.promote_types)
def promote_types(type1, type2):
    if type1 == type2:
        return type1
    low, high = sorted((type1, type2), key=category)
    if category(low) < category(high):
        return high
    low, high = sorted((type1, type2), key=bits)
    if bits(low) < bits(high):
        return high
    # as wide as one another: both are floats of 16 bits, or uint8 with int8, whose int16 OneFlow lacks
    return oneflow.float32 if category(low) == 2 else oneflow.int32


@rule(torch.can_cast)
def can_cast(from_, to):
    # to a category that is not below; bool is a category of its own
    return category(to) >= category(from_)


def rank_of_operand(value):
    """Tensors with axes go before those without, these before numbers."""
    return 0 if not isinstance(value, oneflow.Tensor) else 1 if value.ndim == 0 else 2


def dtype_of_operand(value):
    if isinstance(value, oneflow.Tensor):
        return value.dtype
    if isinstance(value, bool):
        return oneflow.bool
    return oneflow.int64 if isinstance(value, int) else oneflow.get_default_dtype()


@rule(torch.result_type)
def result_type(tensor1, tensor2):
    first, second = sorted((tensor1, tensor2), key=rank_of_operand, reverse=True)
    strong, weak = dtype_of_operand(first), dtype_of_operand(second)
    if rank_of_operand(first) == rank_of_operand(second):
        return promote_types(strong, weak)
    return strong if category(weak) <= category(strong) else weak


def alike(left, right):
    """Both operands in the dtype to which torch promotes them; numbers stay numbers, Python's own."""
    left, right = (value.item() if isinstance(value, numpy.generic) else value for value in (left, right))
    if not all(isinstance(value, (oneflow.Tensor, int, float)) for value in (left, right)):
        return left, right
    dtype = result_type(left, right)
    return tuple(value.to(dtype) if isinstance(value, oneflow.Tensor) else value for value in (left, right))


def counted(value):
    """Truth values as 0 and 1."""
    if isinstance(value, oneflow.Tensor):
        return value.to(oneflow.int64) if value.dtype == oneflow.bool else value
    return int(value) if isinstance(value, bool) else value


def filled(left, right):
    """The operand that is a number as a tensor like the other."""
    if not isinstance(left, oneflow.Tensor):
        left = oneflow.tensor(left, dtype=right.dtype, device=right.device)
    if not isinstance(right, oneflow.Tensor):
        right = oneflow.tensor(right, dtype=left.dtype, device=left.device)
    return left, right


@rule("torch.Tensor.__add__:mixed")
def promoted_add(input, other):
    input, other = alike(input, other)
    if isinstance(input, oneflow.Tensor) and input.dtype == oneflow.bool:
        return oneflow.logical_or(*filled(input, other))
    if isinstance(other, oneflow.Tensor) and other.dtype == oneflow.bool:
        return oneflow.logical_or(*filled(input, other))
    return input + other


@rule("torch.add:mixed", "torch.Tensor.add:mixed")
def promoted_sum(input, other, *, alpha=1):
    return promoted_add(input, other if alpha == 1 else promoted_mul(other, alpha))


@rule("torch.Tensor.__mul__:mixed", "torch.mul:mixed", "torch.Tensor.mul:mixed")
def promoted_mul(input, other):
    input, other = (counted(value) if isinstance(value, bool) else value for value in alike(input, other))
    return input * other


@rule("torch.Tensor.__sub__:mixed")
def promoted_sub(input, other):
    input, other = alike(input, other)
    return input - other


@rule("torch.Tensor.__rsub__:bytes")
def rsub_of_bytes(self: IntTensor, other: float):
    return other - self.float()  # OneFlow takes the negative of the bytes first


@rule("torch.Tensor.__rsub__:bytes")
def rsub_of_bytes(self, other):  # noqa: F811
    return other - self.float() if isinstance(other, float) and self.dtype == oneflow.uint8 else other - self


@rule("torch.Tensor.__eq__:mixed", "torch.eq:mixed", "torch.Tensor.eq:mixed")
def promoted_eq(input, other):
    input, other = alike(input, other)
    return input == other


@rule("torch.Tensor.__ne__:mixed", "torch.ne:mixed", "torch.Tensor.ne:mixed")
def promoted_ne(input, other):
    input, other = alike(input, other)
    return input != other


@rule("torch.Tensor.__lt__:mixed", "torch.lt:mixed", "torch.Tensor.lt:mixed")
def promoted_lt(input, other):
    input, other = alike(input, other)
    return input < other


@rule("torch.Tensor.__le__:mixed", "torch.le:mixed", "torch.Tensor.le:mixed")
def promoted_le(input, other):
    input, other = alike(input, other)
    return input <= other


@rule("torch.Tensor.__gt__:mixed", "torch.gt:mixed", "torch.Tensor.gt:mixed")
def promoted_gt(input, other):
    input, other = alike(input, other)
    return input > other


@rule("torch.Tensor.__ge__:mixed", "torch.ge:mixed", "torch.Tensor.ge:mixed")
def promoted_ge(input, other):
    input, other = alike(input, other)
    return input >= other


@rule("torch.Tensor.__eq__")
def eq(self, other: None):
    return self is None


@rule("torch.Tensor.__eq__")
def eq(self, other):  # noqa: F811
    return self == other


@rule("torch.Tensor.__ne__")
def ne(self, other: None):
    return self is not None


@rule("torch.Tensor.__ne__")
def ne(self, other):  # noqa: F811
    return self != other


@rule("torch.Tensor.__truediv__:mixed")
def promoted_truediv(left: BoolTensor, right: int | float):
    return left.float() / right


@rule("torch.Tensor.__truediv__:mixed")
def promoted_truediv(left, right):  # noqa: F811
    left, right = alike(left, right)
    return counted(left) / counted(right)


@rule("torch.Tensor.__pow__:mixed")
def promoted_pow(left, right):
    left, right = (counted(value) for value in alike(left, right))
    kinds = [category(value.dtype) for value in (left, right) if isinstance(value, oneflow.Tensor)]
    if 2 in kinds or isinstance(left, float) or isinstance(right, float):
        return left**right
    # of integers OneFlow gives floating-point numbers
    if isinstance(right, int) and right < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    dtype = result_type(left, right)
    left, right = (v.to(oneflow.float64) if isinstance(v, oneflow.Tensor) else float(v) for v in (left, right))
    return oneflow.round(left**right).to(dtype)


# Integers have no gradient that would be lost in numpy, and OneFlow has no function of bits.
def by_bits(function, left, right):
    left, right = alike(left, right)
    device = (left if isinstance(left, oneflow.Tensor) else right).device
    parts = [part.numpy() if isinstance(part, oneflow.Tensor) else part for part in (left, right)]
    return oneflow.tensor(function(*parts), dtype=result_type(left, right), device=device)


def is_of_bools(left, right):
    return all(v.dtype == oneflow.bool if isinstance(v, oneflow.Tensor) else isinstance(v, bool) for v in (left, right))


@rule("torch.Tensor.__and__:mixed", torch.bitwise_and, torch.Tensor.bitwise_and)
def bitwise_and(input, other):
    return input & other if is_of_bools(input, other) else by_bits(numpy.bitwise_and, input, other)


@rule("torch.Tensor.__or__:mixed", torch.bitwise_or, torch.Tensor.bitwise_or)
def bitwise_or(input, other):
    return input | other if is_of_bools(input, other) else by_bits(numpy.bitwise_or, input, other)


@rule("torch.Tensor.__xor__:mixed", torch.bitwise_xor, torch.Tensor.bitwise_xor)
def bitwise_xor(input, other):
    return input ^ other if is_of_bools(input, other) else by_bits(numpy.bitwise_xor, input, other)


@rule(
    "torch.Tensor.__lshift__:mixed",
    "torch.Tensor.__lshift__",
    torch.bitwise_left_shift,
    torch.Tensor.bitwise_left_shift,
)
def bitwise_left_shift(input, other):
    return by_bits(numpy.left_shift, input, other)


@rule(
    "torch.Tensor.__rshift__:mixed",
    "torch.Tensor.__rshift__",
    torch.bitwise_right_shift,
    torch.Tensor.bitwise_right_shift,
)
def bitwise_right_shift(input, other):
    return by_bits(numpy.right_shift, input, other)


@rule(torch.Tensor.bitwise_and_, torch.Tensor.__iand__)
def bitwise_and_(self, other):
    self[...] = bitwise_and(self, other).to(self.dtype)
    return self


@rule(torch.Tensor.bitwise_or_, torch.Tensor.__ior__)
def bitwise_or_(self, other):
    self[...] = bitwise_or(self, other).to(self.dtype)
    return self


@rule(torch.Tensor.bitwise_xor_, torch.Tensor.__ixor__)
def bitwise_xor_(self, other):
    self[...] = bitwise_xor(self, other).to(self.dtype)
    return self


@rule(torch.Tensor.bitwise_left_shift_, torch.Tensor.__ilshift__)
def bitwise_left_shift_(self, other):
    self[...] = bitwise_left_shift(self, other).to(self.dtype)
    return self


@rule(torch.Tensor.bitwise_right_shift_, torch.Tensor.__irshift__)
def bitwise_right_shift_(self, other):
    self[...] = bitwise_right_shift(self, other).to(self.dtype)
    return self


@rule("torch.Tensor.__invert__", torch.Tensor.bitwise_not, torch.bitwise_not)
def bitwise_not(input: IntTensor):
    return -1 - input


@rule("torch.Tensor.__invert__")
def bitwise_not(self):  # noqa: F811
    return ~self  # of integers OneFlow refuses it


@rule(torch.Tensor.bitwise_not, torch.bitwise_not)
def bitwise_not(input: BoolTensor):  # noqa: F811
    return ~input


@rule(torch.Tensor.bitwise_not_)
def bitwise_not_(self):
    self[...] = bitwise_not(self.clone())
    return self


@rule(torch.div, torch.Tensor.div, torch.divide, torch.Tensor.divide)
def div(input, other, *, rounding_mode=None):
    if rounding_mode is None:
        return input / other
    if rounding_mode == "floor":
        return floor_divide(input, other)
    quotient = oneflow.trunc(input / other)
    whole = not input.is_floating_point() and not (
        other.is_floating_point() if isinstance(other, oneflow.Tensor) else isinstance(other, float)
    )
    return quotient.to(input.dtype) if whole else quotient


@rule(torch.floor_divide, torch.Tensor.floor_divide, "torch.Tensor.__floordiv__")
def floor_divide(input: FloatTensor, other: int):
    return input // other


@rule(torch.floor_divide, torch.Tensor.floor_divide, "torch.Tensor.__floordiv__:mixed", "torch.Tensor.__floordiv__")
def floor_divide(input, other):  # noqa: F811
    # OneFlow's // rounds integers towards zero, torch down; between tensors it does not broadcast
    input, other = filled(*alike(input, other))
    whole = input - remainder(input, other)
    if category(input.dtype) < 2:
        return oneflow.round(whole.to(oneflow.float64) / other.to(oneflow.float64)).to(input.dtype)
    return oneflow.where(other == 0, input / other, oneflow.round(whole / other))


@rule("torch.Tensor.__rfloordiv__")
def rfloordiv(self, other):
    return floor_divide(other, self)


@rule(torch.remainder, torch.Tensor.remainder, "torch.Tensor.__mod__:mixed", "torch.Tensor.__mod__")
def remainder(input, other):
    # OneFlow's % has the dividend's sign, torch's the divisor's
    input, other = filled(*alike(input, other))
    rest = oneflow.fmod(input, other)
    off = ((rest < 0) & (other > 0)) | ((rest > 0) & (other < 0))
    return rest + off.to(rest.dtype) * other


@rule("torch.Tensor.__rmod__")
def rmod(self, other: str):
    return other % self


@rule("torch.Tensor.__rmod__")
def rmod(self, other: int | float | oneflow.Tensor):  # noqa: F811
    return remainder(other, self)


@rule("torch.maximum:mixed", "torch.Tensor.maximum:mixed")
def promoted_maximum(input, other):
    return oneflow.maximum(*oneflow.broadcast_tensors(*alike(input, other)))


@rule("torch.minimum:mixed", "torch.Tensor.minimum:mixed")
def promoted_minimum(input, other):
    return oneflow.minimum(*oneflow.broadcast_tensors(*alike(input, other)))


def all_alike(tensors):
    """The tensors in the dtype to which torch promotes them all."""
    tensors = list(tensors)
    dtype = functools.reduce(promote_types, [tensor.dtype for tensor in tensors])
    return [tensor.to(dtype) for tensor in tensors]


@rule("torch.cat:mixed", "torch.concat:mixed", "torch.concatenate:mixed")
def promoted_cat(tensors, dim=0):
    return oneflow.cat(all_alike(tensors), dim=dim)


@rule("torch.stack:mixed")
def promoted_stack(tensors, dim=0):
    return oneflow.stack(all_alike(tensors), dim=dim)


@rule("torch.hstack:mixed")
def promoted_hstack(tensors):
    return oneflow.hstack(all_alike(tensors))


@rule("torch.vstack:mixed")
def promoted_vstack(tensors):
    return oneflow.vstack(all_alike(tensors))


@rule("torch.where:mixed", torch.where)
def promoted_where(condition, input, other):
    return oneflow.where(condition, *filled(*alike(input, other)))


@rule("torch.Tensor.where:mixed", torch.Tensor.where)
def promoted_where_method(self, condition, other):
    return oneflow.where(condition, *filled(*alike(self, other)))


@rule("torch.outer:mixed", "torch.Tensor.outer:mixed", "torch.ger:mixed")
def promoted_outer(input, vec2):
    return promoted_mul(input.unsqueeze(1), vec2.unsqueeze(0))


@rule("torch.einsum:mixed")
def promoted_einsum(equation, *operands):
    return oneflow.einsum(equation, *all_alike(operands))


@rule("torch.addcmul:mixed", "torch.Tensor.addcmul:mixed")
def promoted_addcmul(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_mul(tensor1, tensor2), value))


@rule("torch.addcdiv:mixed", "torch.Tensor.addcdiv:mixed")
def promoted_addcdiv(input, tensor1, tensor2, *, value=1):
    return promoted_add(input, promoted_mul(promoted_truediv(tensor1, tensor2), value))
