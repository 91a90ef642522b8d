"""Decorators of a torch.autograd.Function's methods under autocast."""

import functools

import paddle
import torch

from rewriters.rule import rule


@rule(torch.amp.custom_fwd, torch.cuda.amp.custom_fwd)
def custom_fwd(fwd=None, *, device_type="cuda", cast_inputs=None):
    """Remembers whether autocast is on; with cast_inputs it is off within, and tensors are cast."""
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def forward(ctx, *args, **kwargs):
        ctx.autocast = paddle.amp.is_autocast_enabled()
        if cast_inputs is None or not ctx.autocast:
            return fwd(ctx, *args, **kwargs)

        def cast(value):
            inexact = isinstance(value, paddle.Tensor) and value.is_floating_point()
            return value.astype(cast_inputs) if inexact else value

        ctx.autocast = False
        with paddle.amp.auto_cast(enable=False):
            return fwd(ctx, *map(cast, args), **{name: cast(value) for name, value in kwargs.items()})

    return forward


@rule(torch.amp.custom_bwd, torch.cuda.amp.custom_bwd)
def custom_bwd(bwd=None, *, device_type="cuda"):
    """Under autocast as the forward was."""
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def backward(ctx, *grads):
        with paddle.amp.auto_cast(enable=ctx.autocast):
            return bwd(ctx, *grads)

    return backward
