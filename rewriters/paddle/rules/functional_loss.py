"""torch.nn.functional: losses."""

import paddle
import torch

from rewriters.rule import FloatTensor, rule


def reduction_by(size_average, reduce):
    """What torch's two old arguments mean together."""
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


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
        reduction = reduction_by(size_average, reduce)
    return soft_cross_entropy(input, target, weight, reduction, label_smoothing)


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(  # noqa: F811
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
        reduction = reduction_by(size_average, reduce)
    if label_smoothing != 0:
        return smoothed_cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)
    # torch's classes lie along axis 1, Paddle's along the last
    return paddle.nn.functional.cross_entropy(
        input,
        target,
        weight=weight,
        ignore_index=ignore_index,
        reduction=reduction,
        axis=1,
        label_smoothing=label_smoothing,
    )


@rule(torch.nn.functional.nll_loss)
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    if ignore_index != -100:
        return picked_loss(input, target, weight, ignore_index, reduction)
    return paddle.nn.functional.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


@rule(torch.nn.functional.mse_loss)
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.mse_loss(input, target, reduction=reduction)


@rule(torch.nn.functional.l1_loss)
def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.l1_loss(input, target, reduction=reduction)


@rule(torch.nn.functional.smooth_l1_loss)
def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    if beta == 0:
        return paddle.nn.functional.l1_loss(input, target, reduction=reduction)
    # Paddle's default is the Huber loss, beta times as large
    return paddle.nn.functional.smooth_l1_loss(input, target, reduction=reduction, delta=beta, is_huber=False)


@rule(torch.nn.functional.huber_loss)
def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    if weight is not None:
        raise NotImplementedError("Paddle's Huber loss takes no weight; multiply the loss of reduction='none'")
    return paddle.nn.functional.smooth_l1_loss(input, target, reduction=reduction, delta=delta)


@rule(torch.nn.functional.binary_cross_entropy)
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.binary_cross_entropy(input, target, weight=weight, reduction=reduction)


@rule(torch.nn.functional.binary_cross_entropy_with_logits)
def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.binary_cross_entropy_with_logits(
        input, target, weight=weight, reduction=reduction, pos_weight=pos_weight
    )


@rule(torch.nn.functional.cosine_embedding_loss)
def cosine_embedding_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.cosine_embedding_loss(input1, input2, target, margin=margin, reduction=reduction)


@rule(torch.nn.functional.hinge_embedding_loss)
def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.hinge_embedding_loss(input, target, margin=margin, reduction=reduction)


@rule(torch.nn.functional.margin_ranking_loss)
def margin_ranking_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.margin_ranking_loss(input1, input2, target, margin=margin, reduction=reduction)


@rule(torch.nn.functional.soft_margin_loss)
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.soft_margin_loss(input, target, reduction=reduction)


@rule(torch.nn.functional.multilabel_margin_loss)
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.multi_label_margin_loss(input, target, reduction=reduction)


@rule(torch.nn.functional.multilabel_soft_margin_loss)
def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.multi_label_soft_margin_loss(input, target, weight=weight, reduction=reduction)


@rule(torch.nn.functional.multi_margin_loss)
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.multi_margin_loss(input, target, p=p, margin=margin, weight=weight, reduction=reduction)


@rule(torch.nn.functional.triplet_margin_loss)
def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2.0,
    eps=1e-06,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.triplet_margin_loss(
        anchor, positive, negative, margin=margin, p=p, epsilon=eps, swap=swap, reduction=reduction
    )


@rule(torch.nn.functional.triplet_margin_with_distance_loss)
def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    return paddle.nn.functional.triplet_margin_with_distance_loss(
        anchor,
        positive,
        negative,
        distance_function=distance_function,
        margin=margin,
        swap=swap,
        reduction=reduction,
    )
