"""Automatic mixed precision: products in a lower precision while a block runs, and losses scaled for float16."""

import contextlib
import functools

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import family, rule, same
from rewriters.targets.jax.rules.laid_gradients import gradient_at, lay_gradient
from rewriters.targets.jax.rules.nn.modules.attention import MultiheadAttention
from rewriters.targets.jax.rules.nn.modules.conv import (  # noqa: F401 (families name them)
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from rewriters.targets.jax.rules.nn.modules.linear import Linear
from rewriters.targets.jax.rules.nn.modules.rnn import GRU, LSTM, RNN  # noqa: F401 (families name them)
from rewriters.targets.jax.rules.ordered import mapped

same(
    "torch.GradScaler.scale", "torch.GradScaler.update", "torch.GradScaler.state_dict",
    "torch.GradScaler.load_state_dict", "torch.GradScaler.get_scale", "torch.GradScaler.is_enabled",
    "torch.GradScaler.get_growth_factor", "torch.GradScaler.set_growth_factor", "torch.GradScaler.get_backoff_factor",
    "torch.GradScaler.set_backoff_factor", "torch.GradScaler.get_growth_interval",
    "torch.GradScaler.set_growth_interval",
)  # fmt: skip


def is_there(device_type):
    return not device_type.startswith("cuda") or jax.default_backend() == "gpu"


@rule(torch.autocast)
class autocast(contextlib.ContextDecorator):
    """A block, or a function, in which products are computed in a lower precision: ``low`` and ``high`` look at it.

    dtype: of the innermost block that runs, None outside; gpu: whether that is one for a GPU.
    """

    dtype, gpu = None, False

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        self.own_gpu = device_type.startswith("cuda")
        usual = jnp.float16 if self.own_gpu else jnp.bfloat16
        self.own = (usual if dtype is None else dtype) if enabled and is_there(device_type) else None
        self.outer = []

    def __enter__(self):
        # functions that are compiled outside of the block are compiled anew inside: JAX looks at this setting
        precision = jax.default_matmul_precision(
            None if self.own is None else "default" if self.own == jnp.float16 else "bfloat16"  # the same for JAX
        )
        precision.__enter__()
        self.outer.append((autocast.dtype, autocast.gpu, precision))
        autocast.dtype, autocast.gpu = self.own, self.own_gpu
        return self

    def __exit__(self, *error):
        autocast.dtype, autocast.gpu, precision = self.outer.pop()
        precision.__exit__(*error)
        return False


@rule(torch.cuda.amp.autocast)
def cuda_autocast(enabled=True, dtype=torch.float16, cache_enabled=True):
    return autocast("cuda", dtype, enabled)


@rule(torch.is_autocast_enabled, torch.is_autocast_cpu_enabled)
def is_autocast_enabled(device_type=None):
    return autocast.dtype is not None


@rule(torch.amp.is_autocast_available)
def is_autocast_available(device_type):
    return device_type == "cpu" or (device_type == "cuda" and jax.default_backend() == "gpu")


def cast(value, kinds, dtype):
    if isinstance(value, (list, tuple)):
        return type(value)(cast(item, kinds, dtype) for item in value)
    if getattr(value, "dtype", None) not in kinds:
        return value
    return jnp.asarray(value).astype(dtype)


@rule("torch.autocast:low")
def low(value):
    """What a product is taken of: within autocast in its dtype. What is float64 stays."""
    if autocast.dtype is None:
        return value
    return cast(value, (jnp.float32, jnp.float16, jnp.bfloat16), autocast.dtype)


@rule("torch.autocast:high")
def high(value):
    """What a loss is taken of: within autocast in float32."""
    return value if autocast.dtype is None else cast(value, (jnp.float16, jnp.bfloat16), jnp.float32)


@rule("torch.autocast:high_on_gpu")
def high_on_gpu(value):
    """What is computed in float32 by autocast for GPUs, and as it is by that for CPUs."""
    return high(value) if autocast.gpu else value


class Lowered:
    """Of a layer: within autocast it computes with its parameters in that dtype."""

    def __call__(self, *args, **kwargs):
        if autocast.dtype is None:
            return super().__call__(*args, **kwargs)
        graph, params, rest = nnx.split(self, nnx.Param, ...)
        lowered = nnx.merge(graph, jax.tree.map(low, params), rest)
        return super(Lowered, lowered).__call__(*low(args), **{name: low(value) for name, value in kwargs.items()})


@rule("torch.nn.Linear:autocast")
class LoweredLinear(Lowered, Linear):
    pass


@family("1d 2d 3d")
@rule("torch.nn.Conv1d:autocast")
class LoweredConv1d(Lowered, Conv1d):
    pass


@family("1d 2d 3d")
@rule("torch.nn.ConvTranspose1d:autocast")
class LoweredConvTranspose1d(Lowered, ConvTranspose1d):
    pass


@rule("torch.nn.MultiheadAttention:autocast")
class LoweredAttention(Lowered, MultiheadAttention):
    pass


@family("LSTM GRU RNN", "LoweredLSTM LoweredGRU LoweredRNN")
@rule("torch.nn.LSTM:autocast")
class LoweredLSTM(Lowered, LSTM):
    pass


@rule(torch.GradScaler)
class GradScaler(nnx.Pytree):
    """Scales losses so that float16's gradients do not vanish; a step by gradients that are not finite is left out."""

    def __init__(
        self,
        device="cuda",
        init_scale=65536.0,
        growth_factor=2.0,
        backoff_factor=0.5,
        growth_interval=2000,
        enabled=True,
    ):
        self.enabled = enabled and is_there(device)
        self.growth_factor, self.backoff_factor = growth_factor, backoff_factor
        self.growth_interval = growth_interval
        self.tracker = nnx.Variable(jnp.zeros((), jnp.int32))
        self.value = nnx.Variable(jnp.asarray(init_scale, jnp.float32))
        self.finite = True

    def scale(self, outputs):
        if not self.enabled:
            return outputs
        return mapped(lambda output: output * self.value[...], outputs)

    def unscale(self, optimizer, gradients):
        """Gradients of the loss itself."""
        if not self.enabled:
            return gradients
        if gradients is None:
            raise RuntimeError("no gradients are there to be unscaled: backward comes before")
        if getattr(optimizer, "finite", None) is not None:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        by = (1 / self.value[...].astype(jnp.float64)).astype(jnp.float32)
        optimizer.finite = all(bool(jnp.isfinite(leaf).all()) for leaf in jax.tree.leaves(gradients))
        return jax.tree.map(lambda leaf: (leaf * by).astype(leaf.dtype), gradients)

    def unscale_(self, optimizer):
        """The same of gradients that lie at the parameters."""
        params = [param for group in optimizer.param_groups for param in group["params"]]
        params = [param for param in params if gradient_at(param) is not None]
        for param, gradient in zip(params, self.unscale(optimizer, list(map(gradient_at, params))), strict=True):
            lay_gradient(param, gradient)

    def step(self, optimizer, modules=None, gradients=None):
        """The optimizer's step by scaled gradients, or by what ``unscale`` gave; of no modules, by those that lie at
        the parameters.
        """
        if modules is None:
            if self.enabled and getattr(optimizer, "finite", None) is None:
                self.unscale_(optimizer)
            finite = not self.enabled or optimizer.finite
            optimizer.finite, self.finite = None, self.finite and finite
            if finite:
                optimizer.step()
            return
        if not self.enabled:
            optimizer.update(modules, gradients)
            return
        if getattr(optimizer, "finite", None) is None:
            gradients = self.unscale(optimizer, gradients)
        finite, optimizer.finite = optimizer.finite, None
        self.finite = self.finite and finite
        if finite:
            optimizer.update(modules, gradients)

    def update(self, new_scale=None):
        if not self.enabled:
            return
        if new_scale is not None:
            self.value[...] = jnp.asarray(new_scale, jnp.float32)
        elif not self.finite:
            self.value[...] = self.value[...] * jnp.float32(self.backoff_factor)
            self.tracker[...] = jnp.zeros_like(self.tracker[...])
        else:
            self.tracker[...] = (self.tracker[...] + 1) % self.growth_interval
            grown = self.value[...] * jnp.float32(self.growth_factor)
            if int(self.tracker[...]) == 0 and bool(jnp.isfinite(grown)):
                self.value[...] = grown
        self.finite = True

    def get_scale(self):
        return float(self.value[...]) if self.enabled else 1.0

    def is_enabled(self):
        return self.enabled

    def get_growth_factor(self):
        return self.growth_factor

    def set_growth_factor(self, new_factor):
        self.growth_factor = new_factor

    def get_backoff_factor(self):
        return self.backoff_factor

    def set_backoff_factor(self, new_factor):
        self.backoff_factor = new_factor

    def get_growth_interval(self):
        return self.growth_interval

    def set_growth_interval(self, new_interval):
        self.growth_interval = new_interval

    def state_dict(self):
        if not self.enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self.growth_factor,
            "backoff_factor": self.backoff_factor,
            "growth_interval": self.growth_interval,
            "_growth_tracker": int(self.tracker[...]),
        }

    def load_state_dict(self, state_dict):
        if not self.enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a disabled scaler.")
        self.value[...] = jnp.asarray(state_dict["scale"], jnp.float32)
        self.growth_factor, self.backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self.growth_interval = state_dict["growth_interval"]
        self.tracker[...] = jnp.asarray(state_dict["_growth_tracker"], jnp.int32)


@rule(torch.cuda.amp.GradScaler)
def CudaGradScaler(init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
    return GradScaler("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


@rule(torch.amp.custom_fwd, torch.cuda.amp.custom_fwd)
def custom_fwd(fwd=None, *, device_type="cuda", cast_inputs=None):
    """With cast_inputs arrays are cast within autocast, which is off inside."""
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def forward(ctx, *args, **kwargs):
        if cast_inputs is None or autocast.dtype is None:
            return fwd(ctx, *args, **kwargs)
        kinds = (jnp.float64, jnp.float32, jnp.float16, jnp.bfloat16)
        args = [cast(value, kinds, cast_inputs) for value in args]
        kwargs = {name: cast(value, kinds, cast_inputs) for name, value in kwargs.items()}
        with autocast(device_type, enabled=False):
            return fwd(ctx, *args, **kwargs)

    return forward


@rule(torch.amp.custom_bwd, torch.cuda.amp.custom_bwd)
def custom_bwd(bwd=None, *, device_type="cuda"):
    return (lambda function: function) if bwd is None else bwd


@rule(torch.get_autocast_dtype)
def get_autocast_dtype(device_type):
    usual = jnp.float16 if device_type.startswith("cuda") else jnp.bfloat16
    return usual if autocast.dtype is None else autocast.dtype


@rule(torch.get_autocast_gpu_dtype)
def get_autocast_gpu_dtype():
    return get_autocast_dtype("cuda")


@rule(torch.get_autocast_cpu_dtype)
def get_autocast_cpu_dtype():
    return get_autocast_dtype("cpu")


@rule(torch.clear_autocast_cache)
def clear_autocast_cache():
    pass
