"""torch.nn: losses that OneFlow lacks, or whose own differ."""

import math

import oneflow
import torch

from rewriters.rule import Rank, alias, family, rule
from rewriters.targets.oneflow.rules.nn.functional.loss import smoothed_cross_entropy

alias(torch.nn.modules.loss._Loss, "oneflow.nn.modules.loss._Loss")
alias(torch.nn.modules.loss._WeightedLoss, "oneflow.nn.modules.loss._WeightedLoss")


class Loss(oneflow.nn.Module):
    """Ends in the mean, the sum or each loss."""

    def __init__(self, reduction="mean", size_average=None, reduce=None):
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = (
                "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
            )
        self.reduction = reduction

    def reduced(self, loss):
        if self.reduction == "none":
            return loss
        return oneflow.mean(loss) if self.reduction == "mean" else oneflow.sum(loss)


@rule(torch.nn.HuberLoss)
class HuberLoss(Loss):
    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction)
        self.delta = delta

    def forward(self, input, target):
        away = oneflow.abs(input - target)
        far = self.delta * (away - 0.5 * self.delta)
        return self.reduced(oneflow.where(away <= self.delta, 0.5 * away * away, far))


@rule(torch.nn.SoftMarginLoss)
class SoftMarginLoss(Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__(reduction, size_average, reduce)

    def forward(self, input, target):
        return self.reduced(oneflow.log1p(oneflow.exp(-target * input)))


@rule(torch.nn.HingeEmbeddingLoss)
class HingeEmbeddingLoss(Loss):
    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(reduction, size_average, reduce)
        self.margin = margin

    def forward(self, input, target):
        zero = oneflow.zeros_like(input)
        apart = oneflow.where(target != 1, oneflow.clamp(self.margin - input, min=0), zero)
        return self.reduced(apart + oneflow.where(target != -1, input, zero))


@rule(torch.nn.CosineEmbeddingLoss)
class CosineEmbeddingLoss(Loss):
    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(reduction, size_average, reduce)
        self.margin = margin

    def forward(self, input1, input2, target):
        axis = -1
        lengths = (oneflow.sum(input1 * input1, axis) + 1e-12) * (oneflow.sum(input2 * input2, axis) + 1e-12)
        cosine = oneflow.sum(input1 * input2, axis) / oneflow.sqrt(lengths)
        zero = oneflow.zeros_like(cosine)
        apart = oneflow.where(target == -1, oneflow.clamp(cosine - self.margin, min=0), zero)
        return self.reduced(oneflow.where(target == 1, 1 - cosine, zero) + apart)


@rule(torch.nn.PoissonNLLLoss)
class PoissonNLLLoss(Loss):
    def __init__(self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
        super().__init__(reduction, size_average, reduce)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input, target):
        if self.log_input:
            loss = oneflow.exp(log_input) - target * log_input
        else:
            loss = log_input - target * oneflow.log(log_input + self.eps)
        if self.full:
            large = target > 1
            count = oneflow.where(large, target, oneflow.ones_like(target))
            stirling = count * oneflow.log(count) - count + 0.5 * oneflow.log(2 * math.pi * count)
            loss = loss + oneflow.where(large, stirling, oneflow.zeros_like(stirling))
        return self.reduced(loss)


@rule(torch.nn.GaussianNLLLoss)
class GaussianNLLLoss(Loss):
    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction)
        self.full, self.eps = full, eps

    def forward(self, input, target, var):
        var = var if isinstance(var, oneflow.Tensor) else oneflow.full_like(input, float(var))
        var = var.unsqueeze(-1) if var.ndim == input.ndim - 1 else var
        var = var + (oneflow.clamp(var, min=self.eps) - var).detach()
        loss = 0.5 * (oneflow.log(var) + oneflow.square(input - target) / var)
        return self.reduced(loss + 0.5 * math.log(2 * math.pi) if self.full else loss)


@rule(torch.nn.KLDivLoss)
class KLDivLoss(Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(reduction, size_average, reduce)
        self.log_target = log_target

    def forward(self, input, target):
        if self.log_target:
            loss = oneflow.exp(target) * (target - input)
        else:
            logs = oneflow.log(oneflow.masked_fill(target, target == 0, 1.0))
            loss = target * logs - target * input
        return (
            oneflow.sum(loss) / (input.shape[0] if input.ndim else 1)
            if self.reduction == "batchmean"
            else self.reduced(loss)
        )


@rule(torch.nn.BCEWithLogitsLoss)
class BCEWithLogitsLoss(Loss):
    """OneFlow's own takes a weight of the input's shape only."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(reduction, size_average, reduce)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        softplus = oneflow.nn.functional.softplus(-input, threshold=50)
        factor = 1 if self.pos_weight is None else (self.pos_weight - 1) * target + 1
        loss = (1 - target) * input + factor * softplus
        return self.reduced(loss if self.weight is None else loss * self.weight)


@rule(torch.nn.MultiLabelSoftMarginLoss)
class MultiLabelSoftMarginLoss(Loss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(reduction, size_average, reduce)
        self.register_buffer("weight", weight)

    def forward(self, input, target):
        softplus = oneflow.nn.functional.softplus
        loss = target * softplus(-input, threshold=50) + (1 - target) * softplus(input, threshold=50)
        return self.reduced(oneflow.mean(loss if self.weight is None else loss * self.weight, -1))


@rule(torch.nn.MultiMarginLoss)
class MultiMarginLoss(Loss):
    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(reduction, size_average, reduce)
        self.p, self.margin = p, margin
        self.register_buffer("weight", weight)

    def forward(self, input, target):
        rows = input.reshape(1, -1) if input.ndim < 2 else input
        index = target.reshape(-1, 1)
        loss = oneflow.clamp(self.margin - oneflow.gather(rows, 1, index) + rows, min=0)
        loss = loss if self.p == 1 else loss * loss
        if self.weight is not None:
            loss = loss * oneflow.gather(self.weight, 0, index.reshape(-1)).reshape(-1, 1)
        others = oneflow.arange(rows.shape[1], device=input.device).reshape(1, -1) != index
        loss = oneflow.sum(loss * others.to(loss.dtype), 1) / rows.shape[1]
        return self.reduced(loss.reshape(target.shape))


@rule(torch.nn.MultiLabelMarginLoss)
class MultiLabelMarginLoss(Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__(reduction, size_average, reduce)

    def forward(self, input, target):
        rows, labels = (input.reshape(1, -1), target.reshape(1, -1)) if input.ndim < 2 else (input, target)
        valid = oneflow.cumsum((labels < 0).to(oneflow.int64), 1) == 0  # up to the first -1
        index = oneflow.where(valid, labels, oneflow.zeros_like(labels))
        classes = oneflow.arange(rows.shape[1], device=input.device).reshape(1, 1, -1)
        is_target = oneflow.sum(((index.unsqueeze(2) == classes) & valid.unsqueeze(2)).to(oneflow.int64), 1) > 0
        apart = oneflow.clamp(1 - oneflow.gather(rows, 1, index).unsqueeze(2) + rows.unsqueeze(1), min=0)
        counted = valid.unsqueeze(2) & oneflow.logical_not(is_target).unsqueeze(1)
        loss = oneflow.sum(apart * counted.to(apart.dtype), [1, 2]) / rows.shape[1]
        return self.reduced(loss if input.ndim > 1 else loss.reshape(()))


@rule(torch.nn.TripletMarginWithDistanceLoss)
class TripletMarginWithDistanceLoss(Loss):
    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__(reduction)
        self.distance = distance_function or oneflow.nn.PairwiseDistance()
        self.margin, self.swap = margin, swap

    def forward(self, anchor, positive, negative):
        near, far = self.distance(anchor, positive), self.distance(anchor, negative)
        far = oneflow.minimum(far, self.distance(positive, negative)) if self.swap else far
        return self.reduced(oneflow.clamp(near - far + self.margin, min=0))


class SmoothedCrossEntropy(Loss):
    """Cross entropy from its definition: OneFlow's own knows no label smoothing."""

    def __init__(self, weight, ignore_index, reduction, label_smoothing):
        super().__init__(reduction)
        self.register_buffer("weight", weight)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input, target):
        axis = 0 if input.ndim == 1 else 1
        classes, share = input.shape[axis], self.label_smoothing
        logs = oneflow.nn.functional.log_softmax(input, dim=axis)
        shape = [classes if n == axis else 1 for n in range(input.ndim)]
        weights = oneflow.ones(shape, device=input.device) if self.weight is None else self.weight.reshape(shape)
        if target.is_floating_point():
            loss = -oneflow.sum(logs * (target * (1 - share) + share / classes) * weights, axis)
            return oneflow.sum(loss) / (loss.numel() or 1) if self.reduction == "mean" else self.reduced(loss)
        counted = target != self.ignore_index
        index = oneflow.where(counted, target, oneflow.zeros_like(target)).unsqueeze(axis)
        own = oneflow.gather(logs * weights, axis, index).squeeze(axis)
        even = oneflow.sum(logs * weights, axis)
        loss = -((1 - share) * own + share / classes * even) * counted.to(input.dtype)
        if self.reduction != "mean":
            return self.reduced(loss)
        shares = oneflow.gather(weights.expand(input.shape), axis, index).squeeze(axis)
        return oneflow.sum(loss) / oneflow.sum(shares * counted.to(input.dtype))


@rule(torch.nn.CrossEntropyLoss)
def CrossEntropyLoss(
    weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    if label_smoothing == 0:
        return oneflow.nn.CrossEntropyLoss(weight=weight, ignore_index=ignore_index, reduction=reduction)
    return SmoothedCrossEntropy(weight, ignore_index, reduction, label_smoothing)


@rule(torch.nn.BCELoss)
def BCELoss(weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    if weight is None:
        return oneflow.nn.BCELoss(reduction=reduction)
    return WeightedBCELoss(weight, reduction)


class WeightedBCELoss(Loss):
    """OneFlow's own takes a weight of the input's shape only."""

    def __init__(self, weight, reduction):
        super().__init__(reduction)
        self.register_buffer("weight", weight)

    def forward(self, input, target):
        return self.reduced(oneflow.nn.functional.binary_cross_entropy(input, target, reduction="none") * self.weight)


@rule(torch.nn.CTCLoss)
class CTCLoss(oneflow.nn.CTCLoss):
    """Lengths may be tuples, targets one after the other, the input without a batch axis."""

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        lengths = [
            part if isinstance(part, oneflow.Tensor) else oneflow.tensor(part, dtype=oneflow.int32)
            for part in (input_lengths, target_lengths)
        ]
        if log_probs.ndim == 3:
            return super().forward(log_probs, targets, *(part.to(log_probs.device) for part in lengths))
        found = super().forward(
            log_probs.unsqueeze(1), targets.unsqueeze(0), *(part.reshape(1).to(log_probs.device) for part in lengths)
        )
        return found.reshape(())


@rule(torch.nn.TripletMarginLoss)
def TripletMarginLoss(margin=1.0, p=2.0, eps=1e-06, swap=False, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    return oneflow.nn.TripletMarginLoss(margin, p, eps, swap, reduction=reduction)


@family("L1Loss MSELoss")
@rule("torch.nn.L1Loss:flags")
def L1Loss(size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    return oneflow.nn.L1Loss(reduction=reduction)


@rule("torch.nn.SmoothL1Loss:flags")
def SmoothL1Loss(size_average=None, reduce=None, reduction="mean", beta=1.0):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    if beta == 0:
        return oneflow.nn.L1Loss(reduction=reduction)
    return oneflow.nn.SmoothL1Loss(reduction=reduction, beta=beta)


@rule("torch.nn.NLLLoss:flags")
def NLLLoss(weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    return oneflow.nn.NLLLoss(weight=weight, ignore_index=ignore_index, reduction=reduction)


@rule("torch.nn.MarginRankingLoss:flags")
def MarginRankingLoss(margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    return oneflow.nn.MarginRankingLoss(margin=margin, reduction=reduction)


@rule("torch.nn.CrossEntropyLoss:call")
def cross_entropy_of_one(self, input: Rank[1], target):
    return self(input.unsqueeze(0), target.unsqueeze(0)).reshape(())


@rule(torch.nn.LinearCrossEntropyLoss)
class LinearCrossEntropyLoss(oneflow.nn.Module):
    """A linear layer and the cross entropy of its output."""

    def __init__(
        self, in_features, num_classes, *, out_features=(), bias=False, device=None, dtype=None, reduction="mean",
        weight=None, ignore_index=None, label_smoothing=0.0, options=None,
    ):  # fmt: skip
        super().__init__()
        self.out_features = [num_classes, *out_features]
        self.linear = oneflow.nn.Linear(in_features, math.prod(self.out_features), bias=bias)
        for place in (device, dtype):
            if place is not None:
                self.linear.to(place)
        self.register_buffer("weight", weight)
        self.reduction, self.ignore_index, self.label_smoothing = reduction, ignore_index, label_smoothing

    def forward(self, input, target):
        rows = self.linear(input.reshape(-1, input.shape[-1]))
        logits = rows.reshape(*input.shape[:-1], *self.out_features)
        ignored = -100 if self.ignore_index is None else self.ignore_index
        return smoothed_cross_entropy(logits, target, self.weight, ignored, self.reduction, self.label_smoothing)
