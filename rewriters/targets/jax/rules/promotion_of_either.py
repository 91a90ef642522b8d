"""torch: operators between what numpy computes and what is an array at times; of others they are what they are."""

import jax

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.promotion_of_operators import (
    promoted_add,
    promoted_floordiv,  # noqa: F401 - of a family
    promoted_mod,  # noqa: F401 - of a family
    promoted_mul,  # noqa: F401 - of a family
    promoted_pow,  # noqa: F401 - of a family
    promoted_sub,  # noqa: F401 - of a family
    promoted_truediv,  # noqa: F401 - of a family
)
from rewriters.targets.jax.rules.tensor.in_place_promotion import (
    promoted_iadd,
    promoted_ifloordiv,  # noqa: F401 - of a family
    promoted_imod,  # noqa: F401 - of a family
    promoted_imul,  # noqa: F401 - of a family
    promoted_ipow,  # noqa: F401 - of a family
    promoted_isub,  # noqa: F401 - of a family
    promoted_itruediv,  # noqa: F401 - of a family
)


@family("add sub mul truediv floordiv mod pow", "+ - * / // % **")
@rule("torch.Tensor.__add__:either")
def add_of_either(left, right):
    if isinstance(left, jax.Array) or isinstance(right, jax.Array):
        return promoted_add(left, right)
    return left + right


@family("iadd isub imul itruediv ifloordiv imod ipow", "+= -= *= /= //= %= **=")
@rule("torch.Tensor.__iadd__:either")
def iadd_of_either(left, right):
    if isinstance(left, jax.Array):
        return promoted_iadd(left, right)
    left += right
    return left
