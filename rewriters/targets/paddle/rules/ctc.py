"""CTC: the module and the function. Paddle takes lengths as tensors, targets as one row each, and a batch."""

import paddle
import torch

from rewriters.rule import rule


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


@rule(torch.nn.CTCLoss)
class CTCLoss(paddle.nn.Layer):
    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__()
        self.blank, self.reduction, self.zero_infinity = blank, reduction, zero_infinity

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        return ctc(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)
