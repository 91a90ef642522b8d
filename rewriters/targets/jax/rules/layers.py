"""torch: functions that layers call."""

import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.functional.dropout import dropped
from rewriters.targets.jax.rules.nn.functional.linear import embedding
from rewriters.targets.jax.rules.nn.functional.resampling import padded


@rule(torch.embedding)
def torch_embedding(weight, indices, *, sparse=False):
    return weight[indices]


@rule(torch.embedding)
def torch_embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return embedding(indices, weight, None if padding_idx < 0 else padding_idx, scale_grad_by_freq=scale_grad_by_freq)


@rule(torch.dropout)
def torch_dropout(input, p, train, *, rngs):
    return dropped(input, p, train, input.shape, rngs)


@rule(torch.constant_pad_nd)
def constant_pad_nd(input, pad, value=0):
    return padded(input, pad, "constant", value)
