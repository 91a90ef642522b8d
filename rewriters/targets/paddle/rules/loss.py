"""torch: losses."""

import paddle
import torch

from rewriters.rule import rule
from rewriters.targets.paddle.rules.nn.functional.likelihood import kl_divergence
from rewriters.targets.paddle.rules.nn.functional.loss import loss_of_logits
from rewriters.targets.paddle.rules.nn.functional.margin_loss import ranked


@rule(torch.binary_cross_entropy_with_logits)
def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    return loss_of_logits(input, target, weight, ("none", "mean", "sum")[reduction], pos_weight)


@rule(torch.cosine_embedding_loss)
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    return paddle.nn.functional.cosine_embedding_loss(
        input1, input2, target, margin=margin, reduction=("none", "mean", "sum")[reduction]
    )


@rule(torch.margin_ranking_loss)
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    return ranked(input1, input2, target, margin, ("none", "mean", "sum")[reduction])


@rule(torch.hinge_embedding_loss)
def hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    return paddle.nn.functional.hinge_embedding_loss(
        input, target, margin=margin, reduction=("none", "mean", "sum")[reduction]
    )


@rule(torch.triplet_margin_loss)
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-06, swap=False, reduction=0):
    return paddle.nn.functional.triplet_margin_loss(
        anchor,
        positive,
        negative,
        margin=margin,
        p=p,
        epsilon=eps,
        swap=swap,
        reduction=("none", "mean", "sum")[reduction],
    )


@rule(torch.poisson_nll_loss)
def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    return paddle.nn.functional.poisson_nll_loss(
        input, target, log_input=log_input, full=full, epsilon=eps, reduction=("none", "mean", "sum")[reduction]
    )


@rule(torch.ctc_loss)
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    raise NotImplementedError("use torch.nn.functional.ctc_loss, which is converted")


@rule(torch.kl_div)
def plain_kl_div(input, target, reduction=0, *, log_target=False):
    return kl_divergence(input, target, ("none", "mean", "sum")[reduction], log_target)
