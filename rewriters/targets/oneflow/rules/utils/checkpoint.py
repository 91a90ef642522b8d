"""torch.utils: checkpoints of activations."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.utils.checkpoint.checkpoint)
def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, **kwargs):
    if use_reentrant:
        return reentrant(function, *args, **kwargs)
    return oneflow.utils.checkpoint.checkpoint(function, *args, **kwargs)


def reentrant(function, *args, **kwargs):
    """As torch's, which has no part in a graph where no argument asks for a gradient, not even for its parameters."""
    if any(isinstance(one, oneflow.Tensor) and one.requires_grad for one in args):
        return oneflow.utils.checkpoint.checkpoint(function, *args, **kwargs)
    with oneflow.no_grad():
        return function(*args, **kwargs)
