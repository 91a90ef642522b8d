"""Losses of two tensors whose dtypes differ: OneFlow's give the target's dtype, or read one as the other."""

import oneflow

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.nn.functional.loss import l1_loss, mse_loss, smooth_l1_loss  # noqa: F401 - of a family
from rewriters.targets.oneflow.rules.promoted_dtypes import all_alike


def paired(input, target):
    """Both of one shape and then of one dtype: a number's counts as much as a batch's."""
    return oneflow.broadcast_tensors(*all_alike([input, target]))


@family("mse l1")
@rule("torch.nn.functional.mse_loss:mixed")
def promoted_mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    input, target = paired(input, target)
    return mse_loss(input, target, size_average, reduce, reduction, weight)


@rule("torch.nn.functional.smooth_l1_loss:mixed")
def promoted_smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    input, target = paired(input, target)
    return smooth_l1_loss(input, target, size_average, reduce, reduction, beta)
