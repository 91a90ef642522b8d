"""Python's ``sum`` and ``math.prod`` of tensors of several dtypes."""

from rewriters.rule import rule
from rewriters.targets.framework.rules.promotion_of_operators import promoted_add, promoted_mul


@rule("torch.Tensor.__add__:folded")
def added_up(values, start=0):
    for value in values:
        start = promoted_add(start, value)
    return start


@rule("torch.Tensor.__mul__:folded")
def multiplied_up(values):
    product = 1
    for value in values:
        product = promoted_mul(product, value)
    return product
