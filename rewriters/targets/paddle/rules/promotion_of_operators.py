"""torch: operators between several dtypes."""

import paddle

from rewriters.rule import rule
from rewriters.targets.paddle.rules.promoted_dtypes import alike, filled


def counted(value):
    """Truth values as 0 and 1."""
    if isinstance(value, paddle.Tensor):
        return value.astype("int64") if value.dtype == paddle.bool else value
    return int(value) if isinstance(value, bool) else value


@rule("torch.Tensor.__add__:mixed")
def promoted_add(left, right):
    left, right = alike(left, right)
    return left + right


@rule("torch.Tensor.__sub__:mixed")
def promoted_sub(left, right):
    left, right = alike(left, right)
    return left - right


@rule("torch.Tensor.__mul__:mixed")
def promoted_mul(left, right):
    left, right = alike(left, right)
    return left * right


@rule("torch.Tensor.__eq__:mixed")
def promoted_eq(left, right):
    left, right = alike(left, right)
    return left == right


@rule("torch.Tensor.__ne__:mixed")
def promoted_ne(left, right):
    left, right = alike(left, right)
    return left != right


@rule("torch.Tensor.__lt__:mixed")
def promoted_lt(left, right):
    left, right = alike(left, right)
    return left < right


@rule("torch.Tensor.__le__:mixed")
def promoted_le(left, right):
    left, right = alike(left, right)
    return left <= right


@rule("torch.Tensor.__gt__:mixed")
def promoted_gt(left, right):
    left, right = alike(left, right)
    return left > right


@rule("torch.Tensor.__ge__:mixed")
def promoted_ge(left, right):
    left, right = alike(left, right)
    return left >= right


@rule("torch.Tensor.__truediv__:mixed")
def promoted_truediv(left, right):
    left, right = alike(left, right)
    return counted(left) / counted(right)


@rule("torch.Tensor.__floordiv__:mixed", "torch.Tensor.__floordiv__:widths")
def promoted_floordiv(left, right):
    # by a number, Paddle gives a tensor without an axis one
    left, right = filled(*alike(left, right))
    return left // right


@rule("torch.Tensor.__mod__:mixed")
def promoted_mod(left, right):
    left, right = filled(*alike(left, right))
    return left % right


@rule("torch.Tensor.__pow__:mixed")
def promoted_pow(left, right):
    left, right = alike(left, right)
    if isinstance(right, bool) and left.dtype == paddle.bool:
        return left.clone() if right else paddle.ones_like(left)
    left, right = counted(left), counted(right)
    if isinstance(right, int) and right < 0 and paddle.is_integer(left):
        # Paddle would not come to an end
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return left**right


@rule("torch.Tensor.__and__:mixed")
def promoted_and(left, right):
    left, right = filled(*alike(left, right))
    return left & right


@rule("torch.Tensor.__or__:mixed")
def promoted_or(left, right):
    left, right = filled(*alike(left, right))
    return left | right


@rule("torch.Tensor.__xor__:mixed")
def promoted_xor(left, right):
    left, right = filled(*alike(left, right))
    return left ^ right


@rule("torch.Tensor.__lshift__:mixed")
def promoted_lshift(left, right):
    left, right = filled(*alike(left, right))
    return left << right


@rule("torch.Tensor.__rshift__:mixed")
def promoted_rshift(left, right):
    left, right = filled(*alike(left, right))
    return left >> right
