"""Losses of two tensors whose dtypes or shapes differ: Paddle's take the one for the other, or raise."""

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.nn.functional.loss import (  # noqa: F401 - of a family
    huber_loss,
    l1_loss,
    mse_loss,
    smooth_l1_loss,
)
from rewriters.targets.paddle.rules.promoted_dtypes import all_alike
from rewriters.targets.paddle.rules.shapes import broadcast_tensors


def paired(input, target):
    """Both of one dtype and of one shape."""
    return broadcast_tensors(*all_alike([input, target]))


@family("mse l1")
@rule("torch.nn.functional.mse_loss:mixed")
def promoted_mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    input, target = paired(input, target)
    return mse_loss(input, target, size_average, reduce, reduction)


@rule("torch.nn.functional.smooth_l1_loss:mixed")
def promoted_smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    input, target = paired(input, target)
    return smooth_l1_loss(input, target, size_average, reduce, reduction, beta)


@rule("torch.nn.functional.huber_loss:mixed")
def promoted_huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    one, other = paired(input, target)
    return huber_loss(one, other, reduction, delta, weight).astype(input.dtype)  # torch's is the input's, too
