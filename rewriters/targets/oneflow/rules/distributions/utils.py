"""torch.distributions.utils."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.distributions.utils.clamp_probs)
def clamp_probs(probs):
    eps = oneflow.finfo(probs.dtype).eps
    return oneflow.clamp(probs, min=eps, max=1 - eps)


@rule(torch.distributions.utils.probs_to_logits)
def probs_to_logits(probs, is_binary=False):
    clamped = clamp_probs(probs)
    return oneflow.log(clamped) - oneflow.log1p(-clamped) if is_binary else oneflow.log(clamped)


@rule(torch.distributions.utils.logits_to_probs)
def logits_to_probs(logits, is_binary=False):
    return oneflow.sigmoid(logits) if is_binary else oneflow.softmax(logits, dim=-1)
