"""torch.nn.functional.nll_loss: OneFlow has the layer alone."""

import oneflow
import torch

from rewriters.rule import Rank, rule


@rule(torch.nn.functional.nll_loss)
def nll_loss(input: Rank[1], target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    return negative_likelihood(input, target, weight, ignore_index, reduction)


@rule(torch.nn.functional.nll_loss)
def nll_loss(input, target):
    return oneflow.nn.NLLLoss()(input, target)


@rule(torch.nn.functional.nll_loss)
def nll_loss(input, target, *, reduction):
    return oneflow.nn.NLLLoss(reduction=reduction)(input, target)


@rule(torch.nn.functional.nll_loss)
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    return negative_likelihood(input, target, weight, ignore_index, reduction)


def negative_likelihood(input, target, weight, ignore_index, reduction):
    """From its definition: OneFlow's own takes no lone sample, and no weight here."""
    axis = 0 if input.ndim == 1 else 1
    counted = target != ignore_index
    index = oneflow.where(counted, target, oneflow.zeros_like(target)).unsqueeze(axis)
    shares = counted.to(input.dtype)
    if weight is not None:
        shares = shares * oneflow.gather(weight, 0, index.reshape(-1)).reshape(target.shape)
    loss = -oneflow.gather(input, axis, index).squeeze(axis) * shares
    if reduction == "none":
        return loss
    return oneflow.sum(loss) / oneflow.sum(shares) if reduction == "mean" else oneflow.sum(loss)
