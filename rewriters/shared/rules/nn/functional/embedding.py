"""torch.nn.functional: embedding."""

import torch

from rewriters.rule import rule
from rewriters.targets.framework.rules.nn.functional.embedding import bag


@rule(torch.nn.functional.embedding_bag)
def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    if max_norm is not None or scale_grad_by_freq:
        raise NotImplementedError("Framework has no embedding_bag; normalise the weight, scale the gradient yourself")
    return bag(input, weight, offsets, mode, per_sample_weights, padding_idx, include_last_offset)
