"""Activations computed anew for the gradient, in place of being kept."""

import contextlib

import jax
import torch
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.ordered import ordered, plain


@rule(torch.utils.checkpoint.checkpoint)
def checkpoint(
    function, *args, use_reentrant=None, context_fn=None, determinism_check="default", debug=False,
    early_stop=True, preserve_rng_state=True, **kwargs,
):  # fmt: skip
    owner = function if isinstance(function, nnx.Module) else getattr(function, "__self__", None)
    if not isinstance(owner, nnx.Module):
        # what a function reaches by itself would not be seen by nnx.remat: it is computed as it stands
        return function(*args, **kwargs)
    run = type(owner).__call__ if function is owner else function.__func__

    def computed(module, arrays):  # flags and None stay what they are
        return ordered(run(module, *(arrays.get(place, value) for place, value in enumerate(args)), **kwargs))

    arrays = {place: value for place, value in enumerate(args) if isinstance(value, jax.Array)}
    return plain(nnx.remat(computed)(owner, arrays))


@rule(torch.utils.checkpoint.checkpoint_sequential)
def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for function in functions:
        input = function(input)
    return input


@rule(torch.utils.checkpoint.set_checkpoint_debug_enabled, torch.utils.checkpoint.set_checkpoint_early_stop)
def set_checkpoint(enable):
    # JAX decides what is computed anew when it compiles
    return contextlib.nullcontext()
