"""torch.nn.functional: losses."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.arithmetic import clamped
from rewriters.targets.jax.rules.norms import vector_norm_of
from rewriters.targets.jax.rules.promotion_of_operators import floating
from rewriters.targets.jax.rules.slopes import absolute


def reduced(loss, reduction, size_average=None, reduce=None):
    """The mean, the sum, or each; torch's old words mean the same."""
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is False else "mean" if size_average is None or size_average else "sum"
    return jnp.mean(loss) if reduction == "mean" else jnp.sum(loss) if reduction == "sum" else loss


@rule(torch.nn.functional.mse_loss)
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    loss = (input - target) ** 2
    if weight is not None:
        loss = loss * weight
        if reduction == "mean":
            return jnp.sum(loss) / jnp.sum(jnp.broadcast_to(weight, loss.shape))
    return reduced(loss, reduction, size_average, reduce)


@rule(torch.nn.functional.l1_loss)
def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    loss = absolute(input - target)
    if weight is not None:
        loss = loss * weight
        if reduction == "mean":
            return jnp.sum(loss) / jnp.sum(jnp.broadcast_to(weight, loss.shape))
    return reduced(loss, reduction, size_average, reduce)


@rule(torch.nn.functional.smooth_l1_loss)
def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    apart = absolute(input - target)
    loss = apart if beta == 0 else jnp.where(apart < beta, 0.5 * apart**2 / beta, apart - 0.5 * beta)
    return reduced(loss, reduction, size_average, reduce)


@rule(torch.nn.functional.huber_loss)
def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    apart = jnp.abs(input - target)
    loss = jnp.where(apart <= delta, 0.5 * apart**2, delta * (apart - 0.5 * delta))
    if weight is not None:
        loss = loss * weight
        if reduction == "mean":
            return jnp.sum(loss) / jnp.sum(jnp.broadcast_to(weight, loss.shape))
    return reduced(loss, reduction)


def entropy_of(input, target):
    """torch cuts off logarithms at -100, and has slopes of its own at 0 and 1, where these of logarithms are NaN."""

    def logarithms(input):
        return jnp.maximum(jnp.log(input), -100), jnp.maximum(jnp.log1p(-input), -100)

    @jax.custom_jvp
    def entropy(input, target):
        hit, miss = logarithms(input)
        return -(target * hit + (1 - target) * miss)

    @entropy.defjvp
    def slopes(values, tangents):
        (input, target), (hit, miss) = values, logarithms(values[0])
        slope = (input - target) / jnp.maximum((1 - input) * input, 1e-12)
        return entropy(input, target), tangents[0] * slope + tangents[1] * (miss - hit)

    return entropy(input, jnp.broadcast_to(target, input.shape).astype(input.dtype))


@rule(torch.nn.functional.binary_cross_entropy)
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    loss = entropy_of(input, target)
    return reduced(loss if weight is None else loss * weight, reduction, size_average, reduce)


@rule(torch.nn.functional.binary_cross_entropy_with_logits)
def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    miss = jax.nn.log_sigmoid(-input)
    hit = jax.nn.log_sigmoid(input) * (1 if pos_weight is None else pos_weight)
    loss = -(target * hit + (1 - target) * miss)
    return reduced(loss if weight is None else loss * weight, reduction, size_average, reduce)


@rule(torch.nn.functional.kl_div)
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if log_target:
        loss = jnp.exp(target) * (target - input)
    else:
        none = target == 0
        loss = jnp.where(none, 0, target * jnp.log(jnp.where(none, 1, target))) - target * input
    if reduction == "batchmean":
        return jnp.sum(loss) / (input.shape[0] if input.ndim else 1)
    return reduced(loss, reduction, size_average, reduce)


def likelihood(log_probabilities, target, weight, ignore_index, reduction, size_average=None, reduce=None):
    """Minus the logarithm at each target; classes are on axis 1, or the only one."""
    axis = 0 if log_probabilities.ndim == 1 else 1
    ignored = target == ignore_index
    places = jnp.expand_dims(jnp.where(ignored, 0, target), axis)
    loss = -jnp.take_along_axis(log_probabilities, places, axis).squeeze(axis)
    weights = jnp.ones((), loss.dtype) if weight is None else weight[jnp.where(ignored, 0, target)]
    weights = jnp.where(ignored, 0, weights).astype(loss.dtype)
    loss = jnp.where(ignored, 0, loss * weights)
    mean = (
        reduction == "mean"
        if size_average is None and reduce is None
        else reduce is not False and size_average is not False
    )
    if mean:
        return jnp.sum(loss) / jnp.sum(weights)
    return reduced(loss, reduction, size_average, reduce)


@rule(torch.nn.functional.nll_loss)
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    return likelihood(input, target, weight, ignore_index, reduction, size_average, reduce)


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    axis = 0 if input.ndim == 1 else 1
    found = jax.nn.log_softmax(input, axis=axis)
    classes = input.shape[axis]
    weights = jnp.ones(classes, found.dtype) if weight is None else weight
    by_class = weights.reshape(-1, *[1] * (input.ndim - 2)) if input.ndim > 1 else weights
    if not jnp.issubdtype(target.dtype, jnp.integer):
        smooth = target * (1 - label_smoothing) + label_smoothing / classes
        loss = -jnp.sum(smooth * found * by_class, axis=axis)
        if reduction == "mean" and size_average is None and reduce is None:
            return jnp.sum(loss) / loss.size
        return reduced(loss, reduction, size_average, reduce)
    hard = likelihood(found, target, weight, ignore_index, reduction, size_average, reduce)
    if label_smoothing == 0:
        return hard
    ignored = target == ignore_index
    soft = jnp.where(ignored, 0, -jnp.sum(found * by_class, axis=axis))
    if reduction == "mean":
        chosen = jnp.where(ignored, 0, weights[jnp.where(ignored, 0, target)])
        soft = jnp.sum(soft) / jnp.sum(chosen)
    else:
        soft = reduced(soft, reduction)
    return (1 - label_smoothing) * hard + label_smoothing / classes * soft


@rule(torch.nn.functional.gaussian_nll_loss)
def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    var = jnp.broadcast_to(jnp.asarray(var, input.dtype), input.shape) if not hasattr(var, "ndim") else var
    if var.ndim == input.ndim - 1 and input.shape[:-1] == var.shape:
        var = var[..., None]
    var = var + jax.lax.stop_gradient(jnp.maximum(var, eps) - var)
    loss = 0.5 * (jnp.log(var) + (input - target) ** 2 / var)
    return reduced(loss + (0.5 * jnp.log(2 * jnp.pi) if full else 0), reduction)


@rule(torch.nn.functional.poisson_nll_loss)
def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction="mean"
):
    loss = jnp.exp(input) - target * input if log_input else input - target * jnp.log(input + eps)
    if full:
        many = jnp.where(target > 1, target, 2)
        loss = loss + jnp.where(target > 1, many * jnp.log(many) - many + 0.5 * jnp.log(2 * jnp.pi * many), 0)
    return reduced(loss, reduction, size_average, reduce)


@rule(torch.nn.functional.soft_margin_loss)
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return reduced(jnp.log1p(jnp.exp(-target * input)), reduction, size_average, reduce)


@rule(torch.nn.functional.hinge_embedding_loss, torch.hinge_embedding_loss)
def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    apart = jnp.where(target == 1, 0, clamped(margin - input, 0, None))
    return reduced(jnp.where(target == -1, 0, input) + apart, reduction, size_average, reduce)


@rule(torch.nn.functional.margin_ranking_loss, torch.margin_ranking_loss)
def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    return reduced(clamped(floating(-target * (input1 - input2)) + margin, 0, None), reduction, size_average, reduce)


@rule(torch.nn.functional.cosine_embedding_loss, torch.cosine_embedding_loss)
def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    axis = -1
    input1, input2 = floating(input1), floating(input2)
    product = jnp.sum(input1 * input2, axis)
    sizes = (jnp.sum(input1**2, axis) + 1e-12) * (jnp.sum(input2**2, axis) + 1e-12)
    alike = product / jnp.sqrt(sizes)
    loss = jnp.where(target == 1, 1 - alike, jnp.where(target == -1, clamped(alike - margin, 0, None), 0))
    return reduced(loss, reduction, size_average, reduce)


@rule(torch.nn.functional.multilabel_soft_margin_loss)
def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    loss = -(target * jax.nn.log_sigmoid(input) + (1 - target) * jax.nn.log_sigmoid(-input))
    loss = loss if weight is None else loss * weight
    return reduced(jnp.mean(loss, -1), reduction, size_average, reduce)


@rule(torch.nn.functional.multi_margin_loss)
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    rows = input if input.ndim == 2 else input[None]
    labels = target.reshape(-1)
    own = jnp.take_along_axis(rows, labels[:, None], 1)
    loss = jax.nn.relu(margin - own + rows) ** p
    loss = loss if weight is None else loss * weight[labels][:, None]
    loss = jnp.where(jnp.arange(rows.shape[1]) == labels[:, None], 0, loss).sum(1) / rows.shape[1]
    return reduced(loss if input.ndim == 2 else loss[0], reduction, size_average, reduce)


@rule(torch.nn.functional.multilabel_margin_loss)
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    rows, labels = (input, target) if input.ndim == 2 else (input[None], target[None])
    counted = jnp.cumprod(labels >= 0, axis=1).astype(bool)  # up to the first -1
    places = jnp.where(counted, labels, rows.shape[1])
    wanted = jnp.zeros((rows.shape[0], rows.shape[1] + 1), bool)
    wanted = wanted.at[jnp.arange(rows.shape[0])[:, None], places].set(True)[:, :-1]
    own = jnp.take_along_axis(rows, jnp.where(counted, labels, 0), 1)
    apart = jax.nn.relu(1 - (own[:, :, None] - rows[:, None, :]))
    loss = jnp.where(counted[:, :, None] & ~wanted[:, None, :], apart, 0).sum((1, 2)) / rows.shape[1]
    return reduced(loss if input.ndim == 2 else loss[0], reduction, size_average, reduce)


def far(x, y, p, eps):
    return vector_norm_of(floating(x - y) + eps, p, -1, False)


@rule(torch.nn.functional.triplet_margin_loss, torch.triplet_margin_loss)
def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2,
    eps=1e-06,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    near, away = far(anchor, positive, p, eps), far(anchor, negative, p, eps)
    away = jnp.minimum(away, far(positive, negative, p, eps)) if swap else away
    return reduced(clamped(near - away + margin, 0, None), reduction, size_average, reduce)


@rule(torch.nn.functional.triplet_margin_with_distance_loss)
def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    measure = distance_function or (lambda x, y: far(x, y, 2, 1e-6))
    near, away = measure(anchor, positive), measure(anchor, negative)
    away = jnp.minimum(away, measure(positive, negative)) if swap else away
    return reduced(clamped(near - away + margin, 0, None), reduction)


@rule(torch.nn.functional.linear_cross_entropy)
def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=None,
    label_smoothing=0.0,
    options=None,
):
    # the options say in how many parts torch computes it
    logits = linear_logits(input, linear_weight, linear_bias)
    ignored = -100 if ignore_index is None else ignore_index
    return cross_entropy(
        logits, target, weight, ignore_index=ignored, reduction=reduction, label_smoothing=label_smoothing
    )


def linear_logits(x, weight, bias):
    """Classes lie along axis 1, and along the only axis of a single sample."""
    found = x @ weight.reshape(-1, weight.shape[-1]).T
    found = found if bias is None else found + bias.reshape(-1)
    return found.reshape(*x.shape[:-1], *weight.shape[:-1])
