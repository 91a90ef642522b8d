"""torch: losses."""

import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.nn.functional.loss import (
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,  # noqa: F401 - of the family
    ctc_loss,
    hinge_embedding_loss,
    kl_div,
    margin_ranking_loss,
    poisson_nll_loss,
    triplet_margin_loss,
)


@rule(torch.nn.functional.cosine_similarity, torch.cosine_similarity)
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    x1, x2 = oneflow.broadcast_tensors(x1, x2)
    # below the root, which has no slope at 0
    first = oneflow.sqrt(oneflow.clamp(oneflow.sum(x1 * x1, dim, True), min=eps**2))
    second = oneflow.sqrt(oneflow.clamp(oneflow.sum(x2 * x2, dim, True), min=eps**2))
    return oneflow.sum(x1 / first * (x2 / second), dim)


WORDS = ("none", "mean", "sum")  # torch's numbers of reductions, in the functions below torch.nn.functional


@rule(torch.binary_cross_entropy_with_logits)
def bce_below(input, target, weight=None, pos_weight=None, reduction=0):
    return binary_cross_entropy_with_logits(
        input, target, weight=weight, pos_weight=pos_weight, reduction=WORDS[reduction]
    )


@rule(torch.kl_div)
def kl_div_below(input, target, reduction=0, *, log_target=False):
    return kl_div(input, target, reduction=WORDS[reduction], log_target=log_target)


@rule(torch.poisson_nll_loss)
def poisson_below(input, target, log_input, full, eps, reduction):
    return poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=WORDS[reduction])


@rule(torch.hinge_embedding_loss)
def hinge_below(input, target, margin=1.0, reduction=0):
    return hinge_embedding_loss(input, target, margin, reduction=WORDS[reduction])


@family("margin_ranking cosine_embedding", "ranking cosine")
@rule(torch.margin_ranking_loss)
def ranking_below(input1, input2, target, margin=0.0, reduction=0):
    return margin_ranking_loss(input1, input2, target, margin, reduction=WORDS[reduction])


@rule(torch.triplet_margin_loss)
def triplet_below(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, reduction=0):
    return triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=WORDS[reduction])


@rule(torch.ctc_loss)
def ctc_below(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=0, zero_infinity=False):
    return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, WORDS[reduction], zero_infinity)
