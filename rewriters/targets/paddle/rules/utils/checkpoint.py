"""torch.utils: checkpoints of activations."""

import contextlib
import functools

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
    # Paddle's recompute_sequential hands the rows of what one segment gives to the next
    layers = list(functions.children()) if isinstance(functions, paddle.nn.Layer) else list(functions)
    size, preserve = len(layers) // segments, kwargs.get("preserve_rng_state", True)
    for start in range(0, size * (segments - 1), size):
        part = functools.partial(one_after_another, layers[start : start + size])
        input = paddle.distributed.fleet.utils.recompute(part, input, preserve_rng_state=preserve)
    return one_after_another(layers[size * (segments - 1) :], input)


def one_after_another(layers, input):
    """What the last of the layers gives, each of which takes what the one before gave: one value, or several."""
    for layer in layers:
        input = layer(*input) if isinstance(input, tuple) else layer(input)
    return input


@rule(torch.utils.checkpoint.set_checkpoint_early_stop, torch.utils.checkpoint.set_checkpoint_debug_enabled)
def set_checkpoint(enable):
    # Paddle computes the whole function again, and compares nothing
    return contextlib.nullcontext()
