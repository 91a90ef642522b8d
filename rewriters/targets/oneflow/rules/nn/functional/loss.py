"""torch.nn.functional: losses. Those that OneFlow lacks are written out; ``reduced`` ends them."""

import math

import oneflow
import torch

from rewriters.rule import Rank, family, note, rule
from rewriters.targets.oneflow.rules.nn.functional.distance import pairwise_distance
from rewriters.targets.oneflow.rules.promoted_dtypes import all_alike

note(
    torch.nn.functional.cross_entropy,
    torch.nn.CrossEntropyLoss,
    torch.nn.functional.log_softmax,
    "on a CPU oneDNN's log_softmax is off by 2e-6 to one side; ONEFLOW_ENABLE_ONEDNN_OPTS=0 takes OneFlow's own",
)


def reduced(loss, reduction):
    """The mean, the sum or each loss."""
    if reduction == "none":
        return loss
    return oneflow.mean(loss) if reduction == "mean" else oneflow.sum(loss)


@family("mse l1", "square abs")
@rule(torch.nn.functional.mse_loss)
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    if weight is not None:
        return weighted(oneflow.square(input - target), weight, reduction)
    if reduction == "mean":
        return oneflow.nn.functional.mse_loss(input, target)
    return oneflow.nn.functional.mse_loss(input, target, reduction)


def weighted(loss, weight, reduction):
    loss = loss * weight
    if reduction == "mean":
        return oneflow.sum(loss) / oneflow.sum(weight.expand(loss.shape))
    return reduced(loss, reduction)


@rule(torch.nn.functional.smooth_l1_loss)
def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    if beta == 0:
        return oneflow.nn.functional.l1_loss(input, target, reduction)
    return oneflow.nn.functional.smooth_l1_loss(input, target, beta, reduction)


@rule(torch.nn.functional.huber_loss)
def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    left, right = all_alike([input, target])
    away = oneflow.abs(left - right)
    near = away <= delta
    loss = oneflow.where(near, 0.5 * away * away, delta * (away - 0.5 * delta)).to(input.dtype)
    return reduced(loss if weight is None else loss * weight, reduction)  # torch's mean is over all elements


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(input, target):
    return oneflow.nn.functional.cross_entropy(input, target)


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(input, target, *, ignore_index):
    return oneflow.nn.functional.cross_entropy(input, target, ignore_index=ignore_index)


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(input, target, *, reduction):
    return oneflow.nn.functional.cross_entropy(input, target, reduction=reduction)


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
    label_smoothing=0.0,
):  # fmt: skip
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    if label_smoothing:
        return smoothed_cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)
    return oneflow.nn.functional.cross_entropy(
        input, target, weight=weight, ignore_index=ignore_index, reduction=reduction
    )


def smoothed_cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing):
    """Cross entropy from its definition: OneFlow's own knows no label smoothing."""
    axis = 0 if input.ndim == 1 else 1
    classes = input.shape[axis]
    logs = input - oneflow.logsumexp(input, axis, keepdim=True)  # OneFlow's log_softmax is less exact
    shape = [classes if n == axis else 1 for n in range(input.ndim)]
    weights = oneflow.ones(shape, dtype=input.dtype, device=input.device) if weight is None else weight.reshape(shape)
    if target.is_floating_point():
        share = target * (1 - label_smoothing) + label_smoothing / classes
        loss = -oneflow.sum(logs * share * weights, axis)
        return reduced(loss, reduction)
    counted = target != ignore_index
    index = oneflow.where(counted, target, oneflow.zeros_like(target)).unsqueeze(axis)
    own = oneflow.gather((logs * weights).expand(input.shape), axis, index).squeeze(axis)
    even = oneflow.sum(logs * weights, axis)
    loss = -((1 - label_smoothing) * own + label_smoothing / classes * even) * counted.to(input.dtype)
    if reduction != "mean":
        return reduced(loss, reduction)
    shares = oneflow.gather(weights.expand(input.shape), axis, index).squeeze(axis)
    return oneflow.sum(loss) / oneflow.sum(shares * counted.to(input.dtype))


@rule(torch.nn.functional.binary_cross_entropy)
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    if weight is not None and weight.ndim < input.ndim:
        weight = weight.expand(input.shape)
    return oneflow.nn.functional.binary_cross_entropy(input, target, weight, reduction)


@rule(torch.nn.functional.binary_cross_entropy_with_logits)
def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    if weight is None and pos_weight is None and reduction == "mean":
        return oneflow.nn.functional.binary_cross_entropy_with_logits(input, target)
    if weight is None and pos_weight is None:
        return oneflow.nn.functional.binary_cross_entropy_with_logits(input, target, reduction=reduction)
    softplus = oneflow.nn.functional.softplus(-input, threshold=50)
    factor = 1 if pos_weight is None else (pos_weight - 1) * target + 1
    loss = (1 - target) * input + factor * softplus
    return reduced(loss if weight is None else loss * weight, reduction)


@rule(torch.nn.functional.kl_div)
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    if log_target:
        loss = oneflow.exp(target) * (target - input)
    else:
        logs = oneflow.log(oneflow.masked_fill(target, target == 0, 1.0))
        loss = target * logs - target * input
    if reduction == "batchmean":
        return oneflow.sum(loss) / input.shape[0]
    return reduced(loss, reduction)


@rule(torch.nn.functional.poisson_nll_loss)
def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    loss = oneflow.exp(input) - target * input if log_input else input - target * oneflow.log(input + eps)
    if full:
        large = target > 1
        count = oneflow.where(large, target, oneflow.ones_like(target))
        stirling = count * oneflow.log(count) - count + 0.5 * oneflow.log(2 * math.pi * count)
        loss = loss + oneflow.where(large, stirling, oneflow.zeros_like(stirling))
    return reduced(loss, reduction)


@rule(torch.nn.functional.gaussian_nll_loss)
def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if not isinstance(var, oneflow.Tensor):
        var = oneflow.full_like(input, float(var))
    if var.ndim == input.ndim - 1:
        var = var.unsqueeze(-1)
    # the floor takes no part in the gradient
    var = var + (oneflow.clamp(var, min=eps) - var).detach()
    loss = 0.5 * (oneflow.log(var) + oneflow.square(input - target) / var)
    return reduced(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction)


@rule(torch.nn.functional.soft_margin_loss)
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    return reduced(oneflow.log1p(oneflow.exp(-target * input)).to(input.dtype), reduction)


@rule(torch.nn.functional.hinge_embedding_loss)
def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    apart = oneflow.clamp(margin - input, min=0)
    zero = oneflow.zeros_like(input)
    loss = oneflow.where(target != 1, apart, zero) + oneflow.where(target != -1, input, zero)
    return reduced(loss, reduction)


@rule(torch.nn.functional.margin_ranking_loss)
def margin_ranking_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    return reduced(oneflow.clamp(-target * (input1 - input2) + margin, min=0), reduction)


@rule(torch.nn.functional.cosine_embedding_loss)
def cosine_embedding_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    axis = input1.ndim - 1 if input1.ndim < 2 else 1
    lengths = (oneflow.sum(input1 * input1, axis) + 1e-12) * (oneflow.sum(input2 * input2, axis) + 1e-12)
    cosine = oneflow.sum(input1 * input2, axis) / oneflow.sqrt(lengths)
    zero = oneflow.zeros_like(cosine)
    loss = oneflow.where(target == 1, 1 - cosine, zero) + oneflow.where(
        target == -1, oneflow.clamp(cosine - margin, min=0), zero
    )
    return reduced(loss, reduction)


@rule(torch.nn.functional.multilabel_soft_margin_loss)
def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    softplus = oneflow.nn.functional.softplus
    loss = target * softplus(-input, threshold=50) + (1 - target) * softplus(input, threshold=50)
    return reduced(oneflow.mean(loss if weight is None else loss * weight, -1), reduction)


@rule(torch.nn.functional.multi_margin_loss)
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    rows = input.reshape(1, -1) if input.ndim < 2 else input
    index = target.reshape(-1, 1)
    loss = oneflow.clamp(margin - oneflow.gather(rows, 1, index) + rows, min=0)
    loss = loss if p == 1 else loss * loss
    if weight is not None:
        loss = loss * oneflow.gather(weight, 0, index.reshape(-1)).reshape(-1, 1)
    others = oneflow.arange(rows.shape[1], device=input.device).reshape(1, -1) != index
    loss = oneflow.sum(loss * others.to(loss.dtype), 1) / rows.shape[1]
    return reduced(loss.reshape(target.shape), reduction)


@rule(torch.nn.functional.multilabel_margin_loss)
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    rows, labels = (input.reshape(1, -1), target.reshape(1, -1)) if input.ndim < 2 else (input, target)
    valid = oneflow.cumsum((labels < 0).to(oneflow.int64), 1) == 0  # up to the first -1
    index = oneflow.where(valid, labels, oneflow.zeros_like(labels))
    classes = oneflow.arange(rows.shape[1], device=input.device).reshape(1, 1, -1)
    is_target = oneflow.sum(((index.unsqueeze(2) == classes) & valid.unsqueeze(2)).to(oneflow.int64), 1) > 0
    apart = oneflow.clamp(1 - oneflow.gather(rows, 1, index).unsqueeze(2) + rows.unsqueeze(1), min=0)
    counted = valid.unsqueeze(2) & oneflow.logical_not(is_target).unsqueeze(1)
    loss = oneflow.sum(apart * counted.to(apart.dtype), [1, 2]) / rows.shape[1]
    return reduced(loss if input.ndim > 1 else loss.reshape(()), reduction)


@rule(torch.nn.functional.triplet_margin_loss)
def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None,
    reduction="mean",
):  # fmt: skip
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is not None and not reduce else "mean" if size_average in (None, True) else "sum"
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = oneflow.minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced(oneflow.clamp(near - far + margin, min=0), reduction)


@rule(torch.nn.functional.triplet_margin_with_distance_loss)
def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = oneflow.minimum(far, distance(positive, negative))
    return reduced(oneflow.clamp(near - far + margin, min=0), reduction)


@rule(torch.nn.functional.ctc_loss)
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    lengths = [
        part if isinstance(part, oneflow.Tensor) else oneflow.tensor(part, dtype=oneflow.int32)
        for part in (input_lengths, target_lengths)
    ]
    loss = oneflow.nn.CTCLoss(blank=blank, reduction=reduction, zero_infinity=zero_infinity)
    return loss(log_probs, targets, *(part.to(log_probs.device) for part in lengths))


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(
    input: Rank[1], target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
    label_smoothing=0.0,
):  # fmt: skip
    if weight is not None or label_smoothing or reduction == "none" or size_average is not None or reduce is not None:
        raise NotImplementedError("OneFlow's takes batches; give input and target a first axis of one")
    return oneflow.nn.functional.cross_entropy(
        input.unsqueeze(0), target.unsqueeze(0), ignore_index=ignore_index, reduction=reduction
    )


def linear_logits(input, weight, bias):
    """Classes lie along axis 1, and along the only axis of a single sample."""
    rows = input.reshape(-1, weight.shape[-1])
    found = oneflow.nn.functional.linear(
        rows, weight.reshape(-1, weight.shape[-1]), None if bias is None else bias.reshape(-1)
    )
    return found.reshape(*input.shape[:-1], *weight.shape[:-1])


@rule(torch.nn.functional.linear_cross_entropy)
def linear_cross_entropy(
    input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean", ignore_index=None,
    label_smoothing=0.0, options=None,
):  # fmt: skip
    # the options say in how many parts torch computes it
    ignored = -100 if ignore_index is None else ignore_index
    logits = linear_logits(input, linear_weight, linear_bias)
    return smoothed_cross_entropy(logits, target, weight, ignored, reduction, label_smoothing)
