"""Activations computed anew for the gradient, in place of being kept."""

import torch
from flax import nnx

from rewriters.rule import rule


@rule(torch.utils.checkpoint.checkpoint)
def checkpoint(
    function, *args, use_reentrant=None, context_fn=None, determinism_check="default", debug=False,
    early_stop=True, preserve_rng_state=True, **kwargs,
):  # fmt: skip
    if isinstance(function, nnx.Module):
        return nnx.remat(lambda module, *given: module(*given, **kwargs))(function, *args)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, nnx.Module):
        return nnx.remat(lambda module, *given: function.__func__(module, *given, **kwargs))(owner, *args)
    # what a function reaches by itself would not be seen by nnx.remat: it is computed as it stands
    return function(*args, **kwargs)


@rule(torch.utils.checkpoint.checkpoint_sequential)
def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for function in functions:
        input = function(input)
    return input
