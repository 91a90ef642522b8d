"""torch.nn.modules: losses."""

import math

import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.nn.functional.ctc import ctc_loss
from rewriters.targets.jax.rules.nn.functional.loss import (  # noqa: F401 (families name them)
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,
    cross_entropy,
    gaussian_nll_loss,
    hinge_embedding_loss,
    huber_loss,
    kl_div,
    l1_loss,
    margin_ranking_loss,
    mse_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
    soft_margin_loss,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from rewriters.targets.jax.rules.nn.modules.linear import Linear
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.parameter import Buffer


class Loss(Module):
    """What losses share: the words of how their values are reduced."""

    def __init__(self, size_average, reduce, reduction):
        super().__init__()
        self.reduction = reduction
        if size_average is not None or reduce is not None:
            mean = size_average is None or size_average
            self.reduction = "none" if reduce is False else "mean" if mean else "sum"

    def keep(self, weight):
        """A weight is a buffer."""
        self.weight = weight if weight is None else Buffer(weight)

    def weights(self):
        return self.weight if self.weight is None else self.weight[...]


@family(
    "L1Loss MSELoss SoftMarginLoss MultiLabelMarginLoss", "l1_loss mse_loss soft_margin_loss multilabel_margin_loss"
)
@rule(torch.nn.L1Loss)
class L1Loss(Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)

    def __call__(self, input, target):
        return l1_loss(input, target, reduction=self.reduction)


@family("SmoothL1Loss KLDivLoss", "smooth_l1_loss kl_div", "beta log_target", "1.0 False")
@rule(torch.nn.SmoothL1Loss)
class SmoothL1Loss(Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def __call__(self, input, target):
        return smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


@rule(torch.nn.HingeEmbeddingLoss)
class HingeEmbeddingLoss(Loss):
    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def __call__(self, input, target):
        return hinge_embedding_loss(input, target, reduction=self.reduction, margin=self.margin)


@family("CosineEmbeddingLoss MarginRankingLoss", "cosine_embedding_loss margin_ranking_loss")
@rule(torch.nn.CosineEmbeddingLoss)
class CosineEmbeddingLoss(Loss):
    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def __call__(self, input1, input2, target):
        return cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


@rule(torch.nn.HuberLoss)
class HuberLoss(Loss):
    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(None, None, reduction)
        self.delta = delta

    def __call__(self, input, target):
        return huber_loss(input, target, self.reduction, self.delta)


@rule(torch.nn.CrossEntropyLoss)
class CrossEntropyLoss(Loss):
    def __init__(
        self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
    ):
        super().__init__(size_average, reduce, reduction)
        self.keep(weight)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def __call__(self, input, target):
        return cross_entropy(
            input,
            target,
            weight=self.weights(),
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


@rule(torch.nn.NLLLoss)
class NLLLoss(Loss):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.keep(weight)
        self.ignore_index = ignore_index

    def __call__(self, input, target):
        return nll_loss(input, target, weight=self.weights(), ignore_index=self.ignore_index, reduction=self.reduction)


@family("BCELoss MultiLabelSoftMarginLoss", "binary_cross_entropy multilabel_soft_margin_loss")
@rule(torch.nn.BCELoss)
class BCELoss(Loss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.keep(weight)

    def __call__(self, input, target):
        return binary_cross_entropy(input, target, weight=self.weights(), reduction=self.reduction)


@rule(torch.nn.BCEWithLogitsLoss)
class BCEWithLogitsLoss(Loss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(size_average, reduce, reduction)
        self.keep(weight)
        self.pos_weight = pos_weight if pos_weight is None else Buffer(pos_weight)

    def __call__(self, input, target):
        positive = self.pos_weight if self.pos_weight is None else self.pos_weight[...]
        return binary_cross_entropy_with_logits(
            input, target, weight=self.weights(), reduction=self.reduction, pos_weight=positive
        )


@rule(torch.nn.MultiMarginLoss)
class MultiMarginLoss(Loss):
    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.keep(weight)
        self.p, self.margin = p, margin

    def __call__(self, input, target):
        return multi_margin_loss(input, target, self.p, self.margin, weight=self.weights(), reduction=self.reduction)


@rule(torch.nn.PoissonNLLLoss)
class PoissonNLLLoss(Loss):
    def __init__(self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def __call__(self, log_input, target):
        return poisson_nll_loss(
            log_input, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction
        )


@rule(torch.nn.TripletMarginLoss)
class TripletMarginLoss(Loss):
    def __init__(self, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def __call__(self, anchor, positive, negative):
        return triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, reduction=self.reduction
        )


@rule(torch.nn.TripletMarginWithDistanceLoss)
class TripletMarginWithDistanceLoss(Loss):
    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__(None, None, reduction)
        self.distance_function, self.margin, self.swap = distance_function, margin, swap

    def __call__(self, anchor, positive, negative):
        return triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


@rule(torch.nn.GaussianNLLLoss)
class GaussianNLLLoss(Loss):
    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(None, None, reduction)
        self.full, self.eps = full, eps

    def __call__(self, input, target, var):
        return gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


@rule(torch.nn.CTCLoss)
class CTCLoss(Loss):
    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(None, None, reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def __call__(self, log_probs, targets, input_lengths, target_lengths):
        return ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )


@rule(torch.nn.LinearCrossEntropyLoss)
class LinearCrossEntropyLoss(Module):
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
        self.linear = Linear(in_features, math.prod(out_features, start=num_classes), bias, dtype=dtype)
        self.weight = None if weight is None else Buffer(weight)
        self.out_features = (num_classes, *out_features)
        self.reduction, self.label_smoothing = reduction, label_smoothing
        self.ignore_index = -100 if ignore_index is None else ignore_index

    def __call__(self, input, target):
        logits = self.linear(input).reshape(*input.shape[:-1], *self.out_features)
        return cross_entropy(
            logits,
            target,
            None if self.weight is None else self.weight[...],
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )
