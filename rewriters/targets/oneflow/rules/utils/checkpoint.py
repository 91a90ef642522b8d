"""torch.utils: checkpoints of activations."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.utils.checkpoint.checkpoint)
def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, **kwargs):
    return oneflow.utils.checkpoint.checkpoint(function, *args, **kwargs)
