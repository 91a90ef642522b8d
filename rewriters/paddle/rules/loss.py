"""Losses: modules."""

import paddle
import torch

from rewriters.rule import dropped, rule


def reduction_of(size_average, reduce):
    """What torch's two old arguments mean together."""
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


@rule(torch.nn.CrossEntropyLoss, layout={"weight": dropped("given to the constructor")})
def CrossEntropyLoss(
    weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    if label_smoothing != 0 and weight is not None:
        raise NotImplementedError("Paddle weighs smoothed labels otherwise; use cross_entropy of torch's formula")
    # torch's classes lie along axis 1, Paddle's along the last
    return paddle.nn.CrossEntropyLoss(
        weight=weight, ignore_index=ignore_index, reduction=reduction, axis=1, label_smoothing=label_smoothing
    )


@rule(torch.nn.NLLLoss, torch.nn.NLLLoss2d, layout={"weight": dropped("given to the constructor")})
def NLLLoss(weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.NLLLoss(weight=weight, ignore_index=ignore_index, reduction=reduction)


@rule(torch.nn.MSELoss)
def MSELoss(size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.MSELoss(reduction=reduction)


@rule(torch.nn.L1Loss)
def L1Loss(size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.L1Loss(reduction=reduction)


@rule(torch.nn.SmoothL1Loss)
def SmoothL1Loss(size_average=None, reduce=None, reduction="mean", beta=1.0):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    if beta == 0:
        return paddle.nn.L1Loss(reduction=reduction)
    # Paddle's default is the Huber loss, beta times as large
    return paddle.nn.SmoothL1Loss(reduction=reduction, delta=beta, is_huber=False)


@rule(torch.nn.HuberLoss)
def HuberLoss(reduction="mean", delta=1.0):
    return paddle.nn.SmoothL1Loss(reduction=reduction, delta=delta)


@rule(torch.nn.BCELoss, layout={"weight": dropped("given to the constructor")})
def BCELoss(weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.BCELoss(weight=weight, reduction=reduction)


@rule(
    torch.nn.BCEWithLogitsLoss,
    layout={"weight": dropped("given to the constructor"), "pos_weight": dropped("given to the constructor")},
)
def BCEWithLogitsLoss(weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.BCEWithLogitsLoss(weight=weight, reduction=reduction, pos_weight=pos_weight)


@rule(torch.nn.KLDivLoss)
class KLDivLoss(paddle.nn.KLDivLoss):
    """Gives a gradient to the target too, which Paddle's own does not."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        if size_average is not None or reduce is not None:
            reduction = reduction_of(size_average, reduce)
        super().__init__(reduction=reduction, log_target=log_target)
        self.kind, self.logarithmic = reduction, log_target

    def forward(self, input, target):
        if target.stop_gradient:
            return super().forward(input, target)
        if self.logarithmic:
            loss = target.exp() * (target - input)
        else:
            entropy = target * target.clip(min=1e-38).log()
            loss = paddle.where(target > 0, entropy, paddle.zeros_like(target)) - target * input
        if self.kind == "batchmean":
            return loss.sum() / input.shape[0]
        return loss if self.kind == "none" else loss.mean() if self.kind == "mean" else loss.sum()


@rule(torch.nn.CTCLoss)
class CTCLoss(paddle.nn.CTCLoss):
    """Lengths may be lists of numbers."""

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        input_lengths = paddle.to_tensor(input_lengths, dtype="int64")
        target_lengths = paddle.to_tensor(target_lengths, dtype="int64")
        return super().forward(log_probs, targets.astype("int32"), input_lengths, target_lengths)


@rule(torch.nn.CosineEmbeddingLoss)
def CosineEmbeddingLoss(margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.CosineEmbeddingLoss(margin=margin, reduction=reduction)


@rule(torch.nn.HingeEmbeddingLoss)
def HingeEmbeddingLoss(margin=1.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.HingeEmbeddingLoss(margin=margin, reduction=reduction)


@rule(torch.nn.MarginRankingLoss)
def MarginRankingLoss(margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.MarginRankingLoss(margin=margin, reduction=reduction)


@rule(torch.nn.SoftMarginLoss)
def SoftMarginLoss(size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.SoftMarginLoss(reduction=reduction)


@rule(torch.nn.MultiLabelMarginLoss)
def MultiLabelMarginLoss(size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.MultiLabelMarginLoss(reduction=reduction)


@rule(torch.nn.MultiLabelSoftMarginLoss, layout={"weight": dropped("given to the constructor")})
def MultiLabelSoftMarginLoss(weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce)
    return paddle.nn.MultiLabelSoftMarginLoss(weight=weight, reduction=reduction)


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
