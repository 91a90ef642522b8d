"""Losses: modules."""

import math

import paddle
import torch

from rewriters.rule import becomes, dropped, family, rule
from rewriters.shared.rules.nn.modules.loss import reduction_of
from rewriters.targets.paddle.rules.nn.functional.cross_entropy import smoothed_cross_entropy, soft_cross_entropy
from rewriters.targets.paddle.rules.nn.functional.likelihood import kl_divergence
from rewriters.targets.paddle.rules.nn.functional.loss import ctc, loss_of_logits
from rewriters.targets.paddle.rules.nn.functional.margin_loss import ranked

becomes(torch.nn.HuberLoss, paddle.nn.SmoothL1Loss)


class PickedLoss(paddle.nn.Layer):
    """Paddle's own NLLLoss writes beyond its memory where a label is ignored."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = reduction_of(size_average, reduce)
        self.weight, self.ignore_index, self.reduction = weight, ignore_index, reduction
        self._ignore_index, self._reduction = ignore_index, reduction  # as of Paddle's own

    def losses(self, log_probabilities, labels, each):
        axis = min(1, log_probabilities.ndim - 1)
        return -each * paddle.take_along_axis(log_probabilities, labels.unsqueeze(axis), axis=axis).squeeze(axis)

    def forward(self, input, target):
        kept = target != self.ignore_index
        labels = paddle.where(kept, target, paddle.zeros_like(target))
        kept = kept.astype(input.dtype)
        each = kept if self.weight is None else self.weight[labels] * kept
        loss = self.losses(input, labels, each)
        if self.reduction == "none":
            return loss
        return loss.sum() / each.sum() if self.reduction == "mean" else loss.sum()


class CrossEntropy(PickedLoss):
    """Paddle's own divides by the number of all labels where ignore_index is negative, gives 0 where all are ignored,
    and with smoothing counts ignored labels, weighs classes otherwise, and takes (N, C) only.
    """

    def __init__(
        self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
    ):
        super().__init__(weight, size_average, ignore_index, reduce, reduction)
        self.label_smoothing = label_smoothing

    def forward(self, input, target):
        if target.is_floating_point():
            return cross_entropy_of_probabilities(self, input, target)
        return super().forward(input, target)

    def losses(self, logits, labels, each):
        axis = min(1, logits.ndim - 1)
        found = paddle.nn.functional.log_softmax(logits, axis=axis)
        hard = super().losses(found, labels, each)
        if self.label_smoothing == 0:
            return hard
        if self.weight is not None:
            found = found * self.weight.reshape([-1] + [1] * (found.ndim - 1 - axis))
        kept = (each != 0).astype(found.dtype)
        return (1 - self.label_smoothing) * hard - self.label_smoothing / found.shape[axis] * found.sum(
            axis=axis
        ) * kept


def cross_entropy_of_probabilities(criterion, logits, probabilities):
    """Torch's classes lie along axis 1, and a mean is over the samples whatever the classes' weights are."""
    axis = min(1, logits.ndim - 1)
    classes, smoothing = logits.shape[axis], criterion.label_smoothing
    found = paddle.nn.functional.log_softmax(logits, axis=axis)
    if criterion.weight is not None:
        found = found * criterion.weight.reshape([-1] + [1] * (logits.ndim - 1 - axis))
    loss = -(found * (probabilities * (1 - smoothing) + smoothing / classes)).sum(axis=axis)
    if criterion.reduction == "none":
        return loss
    return loss.mean() if criterion.reduction == "mean" else loss.sum()


@rule(torch.nn.CrossEntropyLoss, layout={"weight": dropped("given to the constructor")})
def CrossEntropyLoss(
    weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    return CrossEntropy(weight, size_average, ignore_index, reduce, reduction, label_smoothing)


@rule("torch.nn.CrossEntropyLoss:labelled", layout={"weight": dropped("given to the constructor")})
def LabelledCrossEntropyLoss(weight=None, *, reduction="mean"):
    # torch's classes lie along axis 1, Paddle's along the last
    return paddle.nn.CrossEntropyLoss(weight=weight, reduction=reduction, axis=1)


@rule(torch.nn.NLLLoss, torch.nn.NLLLoss2d, layout={"weight": dropped("given to the constructor")})
def NLLLoss(weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    return PickedLoss(weight, size_average, ignore_index, reduce, reduction)


@rule("torch.nn.NLLLoss:labelled", layout={"weight": dropped("given to the constructor")})
def LabelledNLLLoss(weight=None, *, reduction="mean"):
    return paddle.nn.NLLLoss(weight=weight, reduction=reduction)


@family("MSELoss SoftMarginLoss MultiLabelMarginLoss L1Loss")
@rule(torch.nn.MSELoss)
def MSELoss(size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.MSELoss(reduction=reduction)


@rule(torch.nn.SmoothL1Loss)
def SmoothL1Loss(size_average=None, reduce=None, reduction="mean", beta=1.0):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    if beta == 0:
        return paddle.nn.L1Loss(reduction=reduction)
    # Paddle's default is the Huber loss, beta times as large
    return paddle.nn.SmoothL1Loss(reduction=reduction, delta=beta, is_huber=False)


@family("BCELoss MultiLabelSoftMarginLoss")
@rule(torch.nn.BCELoss, layout={"weight": dropped("given to the constructor")})
def BCELoss(weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.BCELoss(weight=weight, reduction=reduction)


@rule(
    torch.nn.BCEWithLogitsLoss,
    layout={"weight": dropped("given to the constructor"), "pos_weight": dropped("given to the constructor")},
)
class BCEWithLogitsLoss(paddle.nn.BCEWithLogitsLoss):
    """Has torch's gradient where a logit is exactly 0, and one for the target."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        if size_average is not None or reduce is not None:
            reduction = reduction_of(size_average, reduce)
        super().__init__(weight=weight, reduction=reduction, pos_weight=pos_weight)

    def forward(self, input, target):
        return loss_of_logits(input, target, self.weight, self.reduction, self.pos_weight)


@rule(torch.nn.KLDivLoss)
class KLDivLoss(paddle.nn.KLDivLoss):
    """Gives a gradient to the target too, which Paddle's own does not."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        if size_average is not None or reduce is not None:
            reduction = reduction_of(size_average, reduce)
        super().__init__(reduction=reduction, log_target=log_target)

    def forward(self, input, target):
        return kl_divergence(input, target, self.reduction, self.log_target)


class RankingLoss(paddle.nn.MarginRankingLoss):
    """Gives equal scores a gradient, as torch does."""

    def forward(self, input, other, label):
        return ranked(input, other, label, self.margin, self.reduction)


@rule(torch.nn.MarginRankingLoss)
def MarginRankingLoss(margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    if margin == 0:
        return RankingLoss(reduction=reduction)
    return paddle.nn.MarginRankingLoss(margin=margin, reduction=reduction)


@family("CosineEmbeddingLoss HingeEmbeddingLoss", "margin=0. margin=1.")
@rule(torch.nn.CosineEmbeddingLoss)
def CosineEmbeddingLoss(margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.CosineEmbeddingLoss(margin=margin, reduction=reduction)


@rule(torch.nn.MultiMarginLoss, layout={"weight": dropped("given to the constructor")})
def MultiMarginLoss(p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.MultiMarginLoss(p=p, margin=margin, weight=weight, reduction=reduction)


@rule(torch.nn.TripletMarginLoss)
def TripletMarginLoss(margin=1.0, p=2.0, eps=1e-06, swap=False, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.TripletMarginLoss(margin=margin, p=p, epsilon=eps, swap=swap, reduction=reduction)


@rule(torch.nn.TripletMarginWithDistanceLoss)
def TripletMarginWithDistanceLoss(*, distance_function=None, margin=1.0, swap=False, reduction="mean"):
    return paddle.nn.TripletMarginWithDistanceLoss(
        distance_function=distance_function, margin=margin, swap=swap, reduction=reduction
    )


@rule(torch.nn.PoissonNLLLoss)
def PoissonNLLLoss(log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.PoissonNLLLoss(log_input=log_input, full=full, epsilon=eps, reduction=reduction)


@rule(torch.nn.GaussianNLLLoss)
class GaussianNLLLoss(paddle.nn.Layer):
    """Paddle's own gives no gradient to the variance."""

    def __init__(self, *, full=False, eps=1e-06, reduction="mean"):
        super().__init__()
        self.full, self.eps, self.reduction = full, eps, reduction

    def forward(self, input, target, variance):
        if not isinstance(variance, paddle.Tensor):
            variance = paddle.full_like(input, variance)
        if variance.shape != input.shape and variance.ndim < input.ndim:
            variance = variance.unsqueeze(-1)
        # the lower bound stands outside of the graph
        variance = variance + (variance.detach().clip(min=self.eps) - variance.detach())
        loss = 0.5 * (variance.log() + (input - target) ** 2 / variance)
        if self.full:
            loss = loss + 0.9189385332046727
        return loss if self.reduction == "none" else loss.mean() if self.reduction == "mean" else loss.sum()


@rule(torch.nn.CTCLoss)
class CTCLoss(paddle.nn.Layer):
    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__()
        self.blank, self.reduction, self.zero_infinity = blank, reduction, zero_infinity

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        return ctc(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)


@rule(torch.nn.LinearCrossEntropyLoss)
class LinearCrossEntropyLoss(paddle.nn.Layer):
    """A linear layer and the cross entropy of its output."""

    def __init__(
        self,
        in_features,
        num_classes,
        *,
        out_features=(),
        bias=False,
        device=None,
        dtype=None,
        reduction="mean",
        weight=None,
        ignore_index=None,
        label_smoothing=0.0,
        options=None,
    ):
        super().__init__()
        self.linear = paddle.nn.Linear(
            in_features, math.prod(out_features, start=num_classes), bias_attr=None if bias else False
        )
        if dtype is not None:
            self.linear.to(dtype=dtype)
        self.register_buffer("weight", weight)
        self.out_features = [num_classes, *out_features]
        self.reduction, self.ignore_index, self.label_smoothing = reduction, ignore_index, label_smoothing

    def forward(self, input, target):
        logits = self.linear(input).reshape([*input.shape[:-1], *self.out_features])
        if logits.ndim == target.ndim:
            return soft_cross_entropy(logits, target, self.weight, self.reduction, self.label_smoothing)
        ignored = -100 if self.ignore_index is None else self.ignore_index
        return smoothed_cross_entropy(logits, target, self.weight, ignored, self.reduction, self.label_smoothing)
