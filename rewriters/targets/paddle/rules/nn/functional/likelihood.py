"""torch.nn.functional: likelihoods and divergences."""

import paddle
import torch

from rewriters.rule import rule


def reduction_from(size_average, reduce):
    """What torch's two old arguments mean together."""
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


def kl_divergence(input, target, reduction, log_target):
    """Paddle's own gives no gradient to the target, takes no two shapes, and counts a negative target as 0."""
    if log_target:
        loss = target.exp() * (target - input)
    else:
        loss = target * (paddle.where(target == 0, paddle.ones_like(target), target).log() - input)
    if reduction == "batchmean":
        return loss.sum() / (input.shape[0] if input.ndim else 1)
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


@rule(torch.nn.functional.kl_div)
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if size_average is not None or reduce is not None:
        reduction = reduction_from(size_average, reduce)
    return kl_divergence(input, target, reduction, log_target)


@rule(torch.nn.functional.poisson_nll_loss)
def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction="mean"
):
    if size_average is not None or reduce is not None:
        reduction = reduction_from(size_average, reduce)
    return paddle.nn.functional.poisson_nll_loss(
        input, target, log_input=log_input, full=full, epsilon=eps, reduction=reduction
    )


def gaussian_negative_log_likelihood(input, target, variance, full, eps, reduction):
    """Paddle's own gives no gradient to the variance."""
    if not isinstance(variance, paddle.Tensor):
        variance = paddle.full_like(input, variance)
    if variance.shape != input.shape and variance.ndim < input.ndim:
        variance = variance.unsqueeze(-1)
    # the lower bound stands outside of the graph
    variance = variance + (variance.detach().clip(min=eps) - variance.detach())
    loss = 0.5 * (variance.log() + (input - target) ** 2 / variance)
    if full:
        loss = loss + 0.9189385332046727
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


@rule(torch.nn.functional.gaussian_nll_loss)
def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    return gaussian_negative_log_likelihood(input, target, var, full, eps, reduction)
