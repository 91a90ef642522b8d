"""torch.nn.functional: losses with a margin."""

import paddle
import torch

from rewriters.rule import Rank, family, rule


def reduction_as(size_average, reduce):
    """What torch's two old arguments mean together."""
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


def one_sample(loss, reduction):
    """Paddle's takes a batch; without a reduction the loss of each sample comes out."""
    return loss.squeeze(0) if reduction == "none" else loss


@rule(torch.nn.functional.cosine_embedding_loss)
def cosine_embedding_loss(
    input1: Rank[1], input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"
):
    if size_average is not None or reduce is not None:
        reduction = reduction_as(size_average, reduce)
    return one_sample(
        paddle.nn.functional.cosine_embedding_loss(
            input1.unsqueeze(0), input2.unsqueeze(0), target.reshape([1]), margin=margin, reduction=reduction
        ),
        reduction,
    )


@rule(torch.nn.functional.cosine_embedding_loss)
def cosine_embedding_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_as(size_average, reduce)
    return paddle.nn.functional.cosine_embedding_loss(input1, input2, target, margin=margin, reduction=reduction)


def ranked(input1, input2, target, margin, reduction):
    """Two equal scores, with which a model may begin, have a gradient in torch; in Paddle's own they have none."""
    loss = (margin - target.astype(input1.dtype) * (input1 - input2)).clip(min=0)
    return loss if reduction == "none" else loss.sum() if reduction == "sum" else loss.mean()


@rule(torch.nn.functional.margin_ranking_loss)
def margin_ranking_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_as(size_average, reduce)
    if margin == 0:
        return ranked(input1, input2, target, margin, reduction)
    return paddle.nn.functional.margin_ranking_loss(input1, input2, target, margin=margin, reduction=reduction)


def hinge(input, target, margin, reduction):
    # to labels other than 1 and -1 both parts apply in torch
    apart = (margin - input).clip(min=0)
    zero = paddle.zeros_like(apart)
    loss = paddle.where(target == 1, zero, apart) + paddle.where(target == -1, zero, input)
    return loss if reduction == "none" else loss.sum() if reduction == "sum" else loss.mean()


@rule(torch.nn.functional.hinge_embedding_loss)
def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_as(size_average, reduce)
    return hinge(input, target, margin, reduction)


@family("soft multilabel", "paddle.nn.functional.soft_margin_loss paddle.nn.functional.multi_label_margin_loss")
@rule(torch.nn.functional.soft_margin_loss)
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_as(size_average, reduce)
    return paddle.nn.functional.soft_margin_loss(input, target, reduction=reduction)


@rule(torch.nn.functional.multilabel_margin_loss)
def multilabel_margin_loss(input: Rank[0] | Rank[1], target, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_as(size_average, reduce)
    found = paddle.nn.functional.multi_label_margin_loss(
        input.reshape([1, -1]), target.reshape([1, -1]), reduction=reduction
    )
    return one_sample(found, reduction)


@rule(torch.nn.functional.multilabel_soft_margin_loss)
def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_as(size_average, reduce)
    return paddle.nn.functional.multi_label_soft_margin_loss(input, target, weight=weight, reduction=reduction)


@rule(torch.nn.functional.multi_margin_loss)
def multi_margin_loss(
    input: Rank[0] | Rank[1], target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    if size_average is not None or reduce is not None:
        reduction = reduction_as(size_average, reduce)
    found = paddle.nn.functional.multi_margin_loss(
        input.reshape([1, -1]), target.reshape([1]), p=p, margin=margin, weight=weight, reduction=reduction
    )
    return one_sample(found, reduction)


@rule(torch.nn.functional.multi_margin_loss)
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_as(size_average, reduce)
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
        reduction = reduction_as(size_average, reduce)
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
