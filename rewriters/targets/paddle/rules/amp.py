"""Automatic mixed precision."""

import functools

import paddle
import torch

from rewriters.rule import family, rule, same


@rule(torch.autocast)
def autocast(device_type, dtype=None, enabled=True, cache_enabled=None):
    if dtype is None:
        return paddle.amp.auto_cast(enable=enabled)
    return paddle.amp.auto_cast(enable=enabled, dtype=dtype)


@rule(torch.cuda.amp.autocast)
def cuda_autocast(enabled=True, dtype=None, cache_enabled=True):
    if dtype is None:
        return paddle.amp.auto_cast(enable=enabled)
    return paddle.amp.auto_cast(enable=enabled, dtype=dtype)


@rule(torch.GradScaler)
def GradScaler(
    device="cuda", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True
):
    return paddle.amp.GradScaler(
        enable=enabled,
        init_loss_scaling=init_scale,
        incr_ratio=growth_factor,
        decr_ratio=backoff_factor,
        incr_every_n_steps=growth_interval,
    )


@rule(torch.cuda.amp.GradScaler)
def CudaGradScaler(init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
    return paddle.amp.GradScaler(
        enable=enabled,
        init_loss_scaling=init_scale,
        incr_ratio=growth_factor,
        decr_ratio=backoff_factor,
        incr_every_n_steps=growth_interval,
    )


same(
    "torch.GradScaler.load_state_dict",
    "torch.GradScaler.scale",
    "torch.GradScaler.state_dict",
    "torch.GradScaler.step",
    "torch.GradScaler.unscale_",
    "torch.GradScaler.update",
)


@family(
    "is_enabled get_growth_factor get_backoff_factor get_growth_interval",
    "self.is_enable self.get_incr_ratio self.get_decr_ratio self.get_incr_every_n_steps",
)
@rule(torch.GradScaler.is_enabled)
def is_enabled(self):
    return self.is_enable()


@rule(torch.GradScaler.get_scale)
def get_scale(self):
    return self._scale.item() if self.is_enable() else 1.0


@family("growth backoff", "incr decr")
@rule(torch.GradScaler.set_growth_factor)
def set_growth_factor(self, new_factor):
    return self.set_incr_ratio(new_factor)


@rule(torch.GradScaler.set_growth_interval)
def set_growth_interval(self, new_interval):
    return self.set_incr_every_n_steps(new_interval)


@rule(torch.amp.is_autocast_available)
def is_autocast_available(device_type):
    return paddle.amp.is_float16_supported() or paddle.amp.is_bfloat16_supported()


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
