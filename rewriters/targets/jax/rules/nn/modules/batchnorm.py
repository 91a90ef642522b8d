"""torch.nn.modules: batch normalization. Running variances are torch's, unbiased."""

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import family, rule, same
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.modules.weights import plain_again
from rewriters.targets.jax.rules.nn.parameter import Count

same(
    "torch.nn.modules.batchnorm._NormBase.reset_parameters",
    "torch.nn.modules.batchnorm._NormBase.reset_running_stats",
    "torch.nn.modules.batchnorm._NormBase.weight", "torch.nn.modules.batchnorm._NormBase.bias",
    "torch.nn.modules.batchnorm._NormBase.running_mean", "torch.nn.modules.batchnorm._NormBase.running_var",
    "torch.nn.modules.batchnorm._NormBase.num_features", "torch.nn.modules.batchnorm._NormBase.eps",
    "torch.nn.modules.batchnorm._NormBase.momentum", "torch.nn.modules.batchnorm._NormBase.affine",
    "torch.nn.modules.batchnorm._NormBase.track_running_stats",
    "torch.nn.modules.batchnorm._NormBase.num_batches_tracked",
)  # fmt: skip


class ByChannel(Module):
    """What normalizations with statistics of each channel share: parameters by nnx's names, and by torch's."""

    torchs = {
        "scale": ("weight", None),
        "mean": ("running_mean", None),
        "var": ("running_var", None),
        "batches": ("num_batches_tracked", None),
    }
    use_running_average = False  # which train() and eval() set

    def __init__(self, num_features, eps, momentum, affine, track_running_stats, dtype, bias):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        dtype = dtype or jnp.float32
        self.scale = nnx.Param(jnp.ones(num_features, dtype)) if affine else None
        self.bias = nnx.Param(jnp.zeros(num_features, dtype)) if affine and bias else None
        self.mean = nnx.BatchStat(jnp.zeros(num_features, dtype)) if track_running_stats else None
        self.var = nnx.BatchStat(jnp.ones(num_features, dtype)) if track_running_stats else None
        self.batches = Count(jnp.zeros((), jnp.int64)) if track_running_stats else None
        if track_running_stats and momentum is None:  # the statistics are means of all batches so far
            self.batches.set_metadata(persistent=True)

    def reset_running_stats(self):
        if self.track_running_stats:
            self.mean.set_value(jnp.zeros_like(self.mean[...]))
            self.var.set_value(jnp.ones_like(self.var[...]))
            self.batches.set_value(jnp.zeros_like(self.batches[...]))

    def reset_parameters(self):
        self.reset_running_stats()
        plain_again(self)

    @property
    def weight(self):
        return self.scale

    @weight.setter
    def weight(self, value):
        self.scale = value

    @property
    def running_mean(self):
        return self.mean

    @running_mean.setter
    def running_mean(self, value):
        self.mean = value

    @property
    def running_var(self):
        return self.var

    @running_var.setter
    def running_var(self, value):
        self.var = value

    @property
    def num_batches_tracked(self):
        return self.batches

    @num_batches_tracked.setter
    def num_batches_tracked(self, value):
        self.batches = value

    def scaled(self, x, mean, variance):
        shape = (1, -1, *[1] * (x.ndim - 2))
        x = (x - mean) * jax.lax.rsqrt(variance + self.eps)
        x = x if self.scale is None else x * self.scale.reshape(shape)
        return x if self.bias is None else x + self.bias.reshape(shape)

    def follow(self, mean, variance, count):
        """The running statistics after a batch: of a biased variance over so many values."""
        rate = self.own_rate() if self.momentum is None else self.momentum
        unbiased = variance * (count / max(count - 1, 1))
        self.mean.set_value(((1 - rate) * self.mean + rate * mean).astype(self.mean.dtype))
        self.var.set_value(((1 - rate) * self.var + rate * unbiased).astype(self.var.dtype))


@rule(torch.nn.modules.batchnorm._BatchNorm)
class BatchNorm(ByChannel):
    """torch.nn.BatchNorm over channels that come second."""

    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
        rngs=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype, bias)

    def own_rate(self):
        return 1 / self.batches[...].astype(self.mean.dtype)

    def __call__(self, input):
        shape = (1, -1, *[1] * (input.ndim - 2))
        if self.use_running_average and self.mean is not None:
            return self.scaled(input, self.mean.reshape(shape), self.var.reshape(shape))
        if self.batches is not None:  # of nothing, too
            self.batches.set_value(self.batches[...] + 1)
        axes = (0, *range(2, input.ndim))
        mean, variance = jnp.mean(input, axes), jnp.var(input, axes)
        if self.mean is not None and input.size:  # of nothing torch learns nothing
            self.follow(jax.lax.stop_gradient(mean), jax.lax.stop_gradient(variance), input.size // input.shape[1])
        return self.scaled(input, mean.reshape(shape), variance.reshape(shape))


@family("BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm")
@rule(torch.nn.BatchNorm1d)
class BatchNorm1d(BatchNorm):
    pass


class InstanceNorm(ByChannel):
    """torch.nn.InstanceNorm: statistics of each sample's channels."""

    axes = 2

    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
        *,
        bias=True,
        rngs=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype, bias)

    def own_rate(self):
        return 0.0  # as torch has it

    def __call__(self, input):
        batched = input.ndim == self.axes + 2
        x = input if batched else input[None]
        if self.use_running_average and self.mean is not None:
            shape = (1, -1, *[1] * self.axes)
            mean, variance = self.mean.reshape(shape), self.var.reshape(shape)
        else:
            axes = tuple(range(2, x.ndim))
            mean, variance = jnp.mean(x, axes, keepdims=True), jnp.var(x, axes, keepdims=True)
            if self.mean is not None:
                over = (0, *axes)
                means, variances = jax.lax.stop_gradient((jnp.mean(mean, over), jnp.mean(variance, over)))
                self.follow(means, variances, x[0, 0].size)
        x = self.scaled(x, mean, variance)
        return x if batched else x[0]


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.InstanceNorm1d)
class InstanceNorm1d(InstanceNorm):
    axes = 1
