"""torch.distributions.utils."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.distributions.utils.clamp_probs)
def clamp_probs(probs):
    eps = paddle.finfo(probs.dtype).eps
    return paddle.clip(probs, eps, 1 - eps)


@rule(torch.distributions.utils.logits_to_probs)
def logits_to_probs(logits, is_binary=False):
    return paddle.nn.functional.sigmoid(logits) if is_binary else paddle.nn.functional.softmax(logits, axis=-1)


@rule(torch.distributions.utils.probs_to_logits)
def probs_to_logits(probs, is_binary=False):
    kept = clamp_probs(probs)
    return paddle.log(kept) - paddle.log1p(-kept) if is_binary else paddle.log(kept)
