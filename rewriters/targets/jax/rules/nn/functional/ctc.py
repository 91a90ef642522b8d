"""torch.nn.functional: the loss of alignments (CTC)."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.functional.loss import reduced

FLOOR = -1e30  # instead of -inf, of which gradients are not numbers


def labels_of(targets, target_lengths):
    """(batch, longest) of targets, which may be given one behind the other."""
    if targets.ndim == 2:
        return targets
    starts = jnp.cumsum(target_lengths) - target_lengths
    compiled = isinstance(target_lengths, jax.core.Tracer)  # then no length is known: none has more than there are
    places = starts[:, None] + jnp.arange(targets.shape[0] if compiled else int(target_lengths.max()))
    return targets[jnp.minimum(places, targets.shape[0] - 1)]


def alignments(log_probs, targets, input_lengths, target_lengths, blank):
    """Of each sequence minus the log of what all alignments come to. log_probs: (time, batch, classes)."""
    steps, batch, _ = log_probs.shape
    width = 2 * targets.shape[1] + 1
    labels = jnp.full((batch, width), blank, targets.dtype).at[:, 1::2].set(targets)
    emitted = jnp.take_along_axis(log_probs, jnp.broadcast_to(labels, (steps, batch, width)), -1)
    before = jnp.pad(labels, ((0, 0), (2, 0)), constant_values=blank)[:, :width]
    skips = (labels != blank) & (labels != before)
    first = jnp.where(jnp.arange(width) < 2, emitted[0], FLOOR)

    def step(paths, item):
        number, lines = item
        one = jnp.pad(paths, ((0, 0), (1, 0)), constant_values=FLOOR)[:, :width]
        two = jnp.where(skips, jnp.pad(paths, ((0, 0), (2, 0)), constant_values=FLOOR)[:, :width], FLOOR)
        further = jnp.maximum(jax.nn.logsumexp(jnp.stack([paths, one, two]), axis=0) + lines, FLOOR)
        return jnp.where((number < input_lengths)[:, None], further, paths), None

    paths, _ = jax.lax.scan(step, first, (jnp.arange(1, steps), emitted[1:]))
    last = jnp.take_along_axis(paths, 2 * target_lengths[:, None], 1)[:, 0]
    other = jnp.take_along_axis(paths, jnp.maximum(2 * target_lengths - 1, 0)[:, None], 1)[:, 0]
    loss = -jnp.logaddexp(last, jnp.where(target_lengths > 0, other, FLOOR))
    # torch's gradient is of what log_softmax was taken of: it has the probabilities in it
    shares = jnp.where(jnp.arange(steps)[:, None] < input_lengths, jnp.exp(log_probs).sum(-1), 0).sum(0)
    loss = loss + shares - jax.lax.stop_gradient(shares)
    nothing = jnp.where(target_lengths == 0, 0, jnp.inf).astype(loss.dtype)
    return jnp.where(input_lengths == 0, nothing, jnp.where(loss > -FLOOR / 2, jnp.inf, loss))


@rule(torch.nn.functional.ctc_loss)
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    batched = log_probs.ndim == 3
    log_probs = log_probs if batched else log_probs[:, None]
    input_lengths, target_lengths = (
        jnp.atleast_1d(jnp.asarray(input_lengths)),
        jnp.atleast_1d(jnp.asarray(target_lengths)),
    )
    targets = labels_of(targets if batched else targets[None], target_lengths)
    loss = alignments(log_probs, targets, input_lengths, target_lengths, blank)
    if zero_infinity:
        loss = jnp.where(jnp.isinf(loss), 0, loss)
    if reduction == "mean":
        return (loss / jnp.maximum(target_lengths, 1)).mean()
    return reduced(loss, reduction) if batched else reduced(loss[0], reduction)
