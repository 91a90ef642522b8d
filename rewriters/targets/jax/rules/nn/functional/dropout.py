"""torch.nn.functional: dropout."""

import jax.numpy as jnp
import torch

from rewriters.rule import rule


def kept_by_dropout(p, shape, rngs):
    """Which elements stay where each is dropped with probability p."""
    return rngs.bernoulli(1 - p, shape)


def dropped(x, p, training, shape, rngs):
    if not training or p == 0:
        return x
    if p == 1:
        return x * 0
    return jnp.where(kept_by_dropout(p, shape, rngs), x / (1 - p), 0).astype(x.dtype)


@rule(torch.nn.functional.dropout)
def functional_dropout(input, p=0.5, training=True, inplace=False, *, rngs):
    return dropped(input, p, training, input.shape, rngs)


@rule(torch.nn.functional.dropout1d)
def dropout1d(input, p=0.5, training=True, inplace=False, *, rngs):
    lead = input.shape[: input.ndim - 1]
    return dropped(input, p, training, (*lead, 1), rngs)


@rule(torch.nn.functional.dropout2d)
def dropout2d(input, p=0.5, training=True, inplace=False, *, rngs):
    # of three axes torch's first is the batch, too
    return dropped(input, p, training, (*input.shape[:2], *[1] * (input.ndim - 2)), rngs)


@rule(torch.nn.functional.dropout3d)
def dropout3d(input, p=0.5, training=True, inplace=False, *, rngs):
    lead = input.shape[: input.ndim - 3]
    return dropped(input, p, training, (*lead, 1, 1, 1), rngs)


SELU_FLOOR = -1.7580993408473766


def dropped_of_selu(x, p, training, shape, rngs):
    """What is dropped is set to the lowest value of selu, and all brought back to mean 0 and variance 1."""
    if not training or p == 0:
        return x
    if p == 1:
        return x * 0
    scale = ((1 - p) * (1 + p * SELU_FLOOR**2)) ** -0.5
    stays = rngs.bernoulli(1 - p, shape)
    return (jnp.where(stays, x, SELU_FLOOR) * scale - scale * SELU_FLOOR * p).astype(x.dtype)


@rule(torch.nn.functional.alpha_dropout)
def alpha_dropout(input, p=0.5, training=False, inplace=False, *, rngs):
    return dropped_of_selu(input, p, training, input.shape, rngs)


@rule(torch.nn.functional.feature_alpha_dropout)
def feature_alpha_dropout(input, p=0.5, training=False, inplace=False, *, rngs):
    shape = (*input.shape[:2], *[1] * (input.ndim - 2))
    return dropped_of_selu(input, p, training, shape, rngs)
