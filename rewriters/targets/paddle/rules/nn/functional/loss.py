"""torch.nn.functional: losses of values and of two classes."""

import paddle
import torch

from rewriters.rule import family, note, rule


def reduction_by(size_average, reduce):
    """What torch's two old arguments mean together."""
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


@family("mse l1")
@rule(torch.nn.functional.mse_loss)
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.mse_loss(input, target, reduction=reduction)


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


note(
    torch.nn.functional.binary_cross_entropy, torch.nn.BCELoss,
    "the target gets no gradient from Paddle: where it asks for one, write the loss out "
    "(-(t * x.log() + (1 - t) * (1 - x).log()).mean())",
)  # fmt: skip


@rule(torch.nn.functional.binary_cross_entropy)
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return paddle.nn.functional.binary_cross_entropy(input, target, weight=weight, reduction=reduction)


def loss_of_logits(input, target, weight, reduction, pos_weight):
    """Paddle's own has another gradient where a logit is exactly 0, and none for the target."""
    positive = 1 if pos_weight is None else 1 + (pos_weight - 1) * target
    loss = (1 - target) * input - positive * paddle.nn.functional.log_sigmoid(input)
    loss = loss if weight is None else loss * weight
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


@rule(torch.nn.functional.binary_cross_entropy_with_logits)
def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    if size_average is not None or reduce is not None:
        reduction = reduction_by(size_average, reduce)
    return loss_of_logits(input, target, weight, reduction, pos_weight)


def ctc(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity):
    """torch's forms: lengths as numbers, targets one after the other, log_probs (T, C) without a batch."""
    input_lengths = paddle.to_tensor(input_lengths, dtype="int64").reshape([-1])
    target_lengths = paddle.to_tensor(target_lengths, dtype="int64").reshape([-1])
    single = log_probs.ndim == 2
    if single:
        log_probs, targets = log_probs.unsqueeze(1), targets.reshape([1, -1])
    elif targets.ndim == 1:
        rows, start = [], 0
        longest = int(target_lengths.max())
        for length in target_lengths.tolist():
            filler = paddle.zeros([longest - length], dtype=targets.dtype)
            rows.append(paddle.concat([targets[start : start + length], filler]))
            start += length
        targets = paddle.stack(rows)
    loss = paddle.nn.functional.ctc_loss(
        log_probs,
        targets.astype("int32"),
        input_lengths,
        target_lengths,
        blank=blank,
        reduction=reduction,
        zero_infinity=zero_infinity,
    )
    return loss.squeeze(0) if single and reduction == "none" else loss


@rule(torch.nn.functional.ctc_loss)
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    return ctc(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)
