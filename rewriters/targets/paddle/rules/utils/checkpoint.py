"""torch.utils: checkpoints of activations."""

import contextlib

import paddle
import torch

from rewriters.rule import rule


@rule(torch.utils.checkpoint.checkpoint)
def checkpoint(function, *args, use_reentrant=False, preserve_rng_state=True, determinism_check="default", **kwargs):
    return paddle.distributed.fleet.utils.recompute(
        function, *args, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state, **kwargs
    )


@rule(torch.utils.checkpoint.checkpoint_sequential)
def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    return paddle.incubate.distributed.fleet.recompute_sequential({"segments": segments}, functions, input)


@rule(torch.utils.checkpoint.set_checkpoint_early_stop, torch.utils.checkpoint.set_checkpoint_debug_enabled)
def set_checkpoint(enable):
    # Paddle computes the whole function again, and compares nothing
    return contextlib.nullcontext()
