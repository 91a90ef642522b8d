"""torch.nn.functional: losses of classes."""

import paddle
import torch

from rewriters.rule import FloatTensor, Rank, rule
from rewriters.shared.rules.nn.modules.loss import reduction_of


def picked_loss(log_probabilities, labels, weight, ignore_index, reduction):
    """Paddle's own nll_loss writes beyond its memory where a label is ignored."""
    kept = labels != ignore_index
    labels = paddle.where(kept, labels, paddle.zeros_like(labels))
    kept = kept.astype(log_probabilities.dtype)
    each = kept if weight is None else weight[labels] * kept
    axis = min(1, log_probabilities.ndim - 1)
    loss = -each * paddle.take_along_axis(log_probabilities, labels.unsqueeze(axis), axis=axis).squeeze(axis)
    return loss if reduction == "none" else loss.sum() / each.sum() if reduction == "mean" else loss.sum()


def smoothed_cross_entropy(logits, labels, weight, ignore_index, reduction, label_smoothing):
    """Paddle's own counts ignored labels, weighs classes otherwise, and takes (N, C) only."""
    axis = min(1, logits.ndim - 1)
    losses = -paddle.nn.functional.log_softmax(logits, axis=axis)
    kept = labels != ignore_index
    labels = paddle.where(kept, labels, paddle.zeros_like(labels))
    kept = kept.astype(losses.dtype)
    each = kept if weight is None else weight[labels] * kept
    hard = each * paddle.take_along_axis(losses, labels.unsqueeze(axis), axis=axis).squeeze(axis)
    if weight is not None:
        losses = losses * weight.reshape([-1] + [1] * (losses.ndim - 1 - axis))
    loss = (1 - label_smoothing) * hard + label_smoothing / losses.shape[axis] * losses.sum(axis=axis) * kept
    return loss if reduction == "none" else loss.sum() / each.sum() if reduction == "mean" else loss.sum()


def soft_cross_entropy(logits, target, weight, reduction, label_smoothing):
    """The target holds probabilities of classes; Paddle's own weighs them otherwise, and gives them no gradient."""
    axis = min(1, logits.ndim - 1)
    count = logits.shape[axis]
    loss = -paddle.nn.functional.log_softmax(logits, axis=axis)
    loss = loss * (target * (1 - label_smoothing) + label_smoothing / count)
    if weight is not None:
        loss = loss * weight.reshape([-1] + [1] * (loss.ndim - 1 - axis))
    loss = loss.sum(axis=axis)
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(
    input,
    target: FloatTensor,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return soft_cross_entropy(input, target, weight, reduction, label_smoothing)


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(
    input: Rank[1] | Rank[2] | Rank[3] | Rank[4] | Rank[5],
    target: Rank[0] | Rank[1] | Rank[2] | Rank[3] | Rank[4] | Rank[5],
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    if input.ndim == target.ndim:
        return soft_cross_entropy(input, target, weight, reduction, label_smoothing)
    if label_smoothing != 0 or input.ndim == 1 or reduction == "mean":
        return smoothed_cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)
    return paddle.nn.functional.cross_entropy(
        input, target, weight=weight, ignore_index=ignore_index, reduction=reduction, axis=1
    )


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    # Paddle's own mean is over ignored labels too where their number is negative, and 0 where all are ignored
    if label_smoothing != 0 or reduction == "mean":
        return smoothed_cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)
    # torch's classes lie along axis 1, Paddle's along the last
    return paddle.nn.functional.cross_entropy(
        input, target, weight=weight, ignore_index=ignore_index, reduction=reduction, axis=1
    )


@rule("torch.nn.functional.cross_entropy:labelled")
def labelled_cross_entropy(input, target: FloatTensor, weight=None, *, reduction="mean"):
    return soft_cross_entropy(input, target, weight, reduction, 0.0)


@rule("torch.nn.functional.cross_entropy:labelled")
def labelled_cross_entropy(
    input: Rank[1] | Rank[2] | Rank[3] | Rank[4] | Rank[5],
    target: Rank[0] | Rank[1] | Rank[2] | Rank[3] | Rank[4] | Rank[5],
    weight=None,
    *,
    reduction="mean",
):
    if input.ndim == target.ndim:
        return soft_cross_entropy(input, target, weight, reduction, 0.0)
    if input.ndim == 1:
        return smoothed_cross_entropy(input, target, weight, -100, reduction, 0.0)
    return paddle.nn.functional.cross_entropy(input, target, weight=weight, reduction=reduction, axis=1)


@rule("torch.nn.functional.cross_entropy:labelled")
def labelled_cross_entropy(input, target, weight=None, *, reduction="mean"):
    return paddle.nn.functional.cross_entropy(input, target, weight=weight, reduction=reduction, axis=1)


def linear_logits(input, weight, bias):
    """Classes lie along axis 1, and along the only axis of a single sample."""
    flat = weight.reshape([-1, weight.shape[-1]])
    found = paddle.nn.functional.linear(input, flat.T, None if bias is None else bias.flatten())
    return found.reshape([*input.shape[:-1], *weight.shape[:-1]])


@rule(torch.nn.functional.linear_cross_entropy)
def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=None,
    label_smoothing=0.0,
    options=None,
):
    # the options say in how many parts torch computes it
    logits = linear_logits(input, linear_weight, linear_bias)
    if logits.ndim == target.ndim:
        return soft_cross_entropy(logits, target, weight, reduction, label_smoothing)
    ignored = -100 if ignore_index is None else ignore_index
    return smoothed_cross_entropy(logits, target, weight, ignored, reduction, label_smoothing)


@rule(torch.nn.functional.nll_loss)
def nll_loss(input: Rank[1], target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return picked_loss(input, target, weight, ignore_index, reduction)


@rule(torch.nn.functional.nll_loss)
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return picked_loss(input, target, weight, ignore_index, reduction)


@rule("torch.nn.functional.nll_loss:labelled")
def labelled_nll_loss(input: Rank[1], target, weight=None, *, reduction="mean"):
    return picked_loss(input, target, weight, -100, reduction)


@rule("torch.nn.functional.nll_loss:labelled")
def labelled_nll_loss(input, target, weight=None, *, reduction="mean"):
    return paddle.nn.functional.nll_loss(input, target, weight=weight, reduction=reduction)
