"""torch.nn.functional: losses."""

import paddle
import torch

from rewriters.rule import rule


def reduction_by(size_average, reduce):
    """What torch's two old arguments mean together."""
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


def smoothed_cross_entropy(logits, labels, weight, ignore_index, reduction, label_smoothing):
    """With weights of classes: Paddle weighs the smoothed labels otherwise than torch."""
    losses = -paddle.nn.functional.log_softmax(logits, axis=1)
    kept = labels != ignore_index
    labels = paddle.where(kept, labels, paddle.zeros_like(labels))
    each = weight[labels] * kept.astype(losses.dtype)
    hard = each * paddle.take_along_axis(losses, labels.unsqueeze(1), axis=1).squeeze(1)
    classes = weight.reshape([1, -1] + [1] * (losses.ndim - 2))
    soft = (losses * classes).sum(axis=1) * kept.astype(losses.dtype)
    loss = (1 - label_smoothing) * hard + label_smoothing / losses.shape[1] * soft
    if reduction == "none":
        return loss
    return loss.sum() / each.sum() if reduction == "mean" else loss.sum()


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
        reduction = reduction_by(size_average, reduce)
    if label_smoothing != 0 and weight is not None:
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


def kl_divergence(input, target, reduction, log_target):
    """Paddle's own gives no gradient to the target."""
    if target.stop_gradient:
        return paddle.nn.functional.kl_div(input, target, reduction=reduction, log_target=log_target)
    if log_target:
        loss = target.exp() * (target - input)
    else:
        loss = (
            paddle.where(target > 0, target * target.clip(min=1e-38).log(), paddle.zeros_like(target)) - target * input
        )
    if reduction == "batchmean":
        return loss.sum() / input.shape[0]
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


@rule(torch.nn.functional.kl_div)
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return kl_divergence(input, target, reduction, log_target)


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


@rule(torch.nn.functional.poisson_nll_loss)
def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction="mean"
):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.poisson_nll_loss(
        input, target, log_input=log_input, full=full, epsilon=eps, reduction=reduction
    )


def gaussian_negative_log_likelihood(input, target, variance, full, eps, reduction):
    """Paddle's own gives no gradient to the variance."""
    if not isinstance(variance, paddle.Tensor):
        variance = paddle.full_like(input, variance)
    if variance.shape != input.shape and variance.ndim < input.ndim:
        variance = variance.unsqueeze(-1)
    # the lower bound stands outside of the graph
    variance = variance + (variance.detach().clip(min=eps) - variance.detach())
    loss = 0.5 * (variance.log() + (input - target) ** 2 / variance)
    if full:
        loss = loss + 0.9189385332046727
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


@rule(torch.nn.functional.gaussian_nll_loss)
def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    return gaussian_negative_log_likelihood(input, target, var, full, eps, reduction)


def ctc(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity):
    """Lengths may be lists of numbers."""
    input_lengths = paddle.to_tensor(input_lengths, dtype="int64")
    target_lengths = paddle.to_tensor(target_lengths, dtype="int64")
    return paddle.nn.functional.ctc_loss(
        log_probs,
        targets.astype("int32"),
        input_lengths,
        target_lengths,
        blank=blank,
        reduction=reduction,
        zero_infinity=zero_infinity,
    )


@rule(torch.nn.functional.ctc_loss)
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    return ctc(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


@rule(torch.nn.functional.linear_cross_entropy)
def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=-100,
    label_smoothing=0.0,
):
    if label_smoothing != 0 and weight is not None:
        raise NotImplementedError("Paddle weighs smoothed labels otherwise; call linear and cross_entropy")
    return paddle.nn.functional.cross_entropy(
        paddle.compat.nn.functional.linear(input, linear_weight, linear_bias),
        target,
        weight=weight,
        ignore_index=ignore_index,
        reduction=reduction,
        axis=1,
        label_smoothing=label_smoothing,
    )
