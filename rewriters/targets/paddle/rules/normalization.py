"""Normalization and dropout: modules. Paddle's momentum is what is kept, torch's what is added."""

import paddle
import torch

from rewriters.rule import alias, dropped, flattened, note, renamed, rule

# Batch normalization.

note(
    torch.nn.BatchNorm1d,
    torch.nn.BatchNorm2d,
    torch.nn.BatchNorm3d,
    "Paddle's running variance is of the batch's n elements, torch's of n - 1: after training on small batches it is a "
    "little below torch's",
)


@rule(
    torch.nn.BatchNorm1d,
    layout={
        "running_mean": renamed("_mean"),
        "running_var": renamed("_variance", "Paddle's is of the batch's n elements, torch's of n - 1"),
        "num_batches_tracked": dropped("only counts batches; used when momentum is None"),
    },
)
def BatchNorm1d(num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None):
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's BatchNorm always keeps statistics; use_global_stats=False ignores them")
    return paddle.nn.BatchNorm1D(
        num_features,
        momentum=1 - momentum,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )


@rule(torch.nn.BatchNorm1d)
def BatchNorm1d(  # noqa: F811
    num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None
):
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's BatchNorm always keeps statistics; use_global_stats=False ignores them")
    layer = paddle.nn.BatchNorm1D(
        num_features,
        momentum=1 - momentum,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )
    return layer if dtype is None else layer.to(dtype=dtype)


@rule(
    torch.nn.BatchNorm2d,
    layout={
        "running_mean": renamed("_mean"),
        "running_var": renamed("_variance", "Paddle's is of the batch's n elements, torch's of n - 1"),
        "num_batches_tracked": dropped("only counts batches; used when momentum is None"),
    },
)
def BatchNorm2d(num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None):
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's BatchNorm always keeps statistics; use_global_stats=False ignores them")
    return paddle.nn.BatchNorm2D(
        num_features,
        momentum=1 - momentum,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )


@rule(torch.nn.BatchNorm2d)
def BatchNorm2d(  # noqa: F811
    num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None
):
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's BatchNorm always keeps statistics; use_global_stats=False ignores them")
    layer = paddle.nn.BatchNorm2D(
        num_features,
        momentum=1 - momentum,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )
    return layer if dtype is None else layer.to(dtype=dtype)


@rule(
    torch.nn.BatchNorm3d,
    layout={
        "running_mean": renamed("_mean"),
        "running_var": renamed("_variance", "Paddle's is of the batch's n elements, torch's of n - 1"),
        "num_batches_tracked": dropped("only counts batches; used when momentum is None"),
    },
)
def BatchNorm3d(num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None):
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's BatchNorm always keeps statistics; use_global_stats=False ignores them")
    return paddle.nn.BatchNorm3D(
        num_features,
        momentum=1 - momentum,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )


@rule(torch.nn.BatchNorm3d)
def BatchNorm3d(  # noqa: F811
    num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None
):
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's BatchNorm always keeps statistics; use_global_stats=False ignores them")
    layer = paddle.nn.BatchNorm3D(
        num_features,
        momentum=1 - momentum,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )
    return layer if dtype is None else layer.to(dtype=dtype)


@rule(
    torch.nn.SyncBatchNorm,
    layout={
        "running_mean": renamed("_mean"),
        "running_var": renamed("_variance", "Paddle's is of the batch's n elements, torch's of n - 1"),
        "num_batches_tracked": dropped("only counts batches; used when momentum is None"),
    },
)
def SyncBatchNorm(
    num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, process_group=None, device=None
):
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's SyncBatchNorm always tracks its statistics; pass track_running_stats=True")
    return paddle.nn.SyncBatchNorm(
        num_features,
        momentum=1 - momentum,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )


@rule("torch.nn.SyncBatchNorm.convert_sync_batchnorm")
def convert_sync_batchnorm(module, process_group=None):
    return paddle.nn.SyncBatchNorm.convert_sync_batchnorm(module)


# Instance normalization is without weight and bias unless asked for.


@rule(torch.nn.InstanceNorm1d, layout={"weight": renamed("scale")})
def InstanceNorm1d(num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None):
    if track_running_stats:
        raise NotImplementedError("Paddle's InstanceNorm keeps no running statistics; track_running_stats=False")
    return paddle.nn.InstanceNorm1D(
        num_features, epsilon=eps, weight_attr=None if affine else False, bias_attr=None if affine else False
    )


@rule(torch.nn.InstanceNorm1d)
def InstanceNorm1d(  # noqa: F811
    num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None
):
    if track_running_stats:
        raise NotImplementedError("Paddle's InstanceNorm keeps no running statistics; track_running_stats=False")
    layer = paddle.nn.InstanceNorm1D(
        num_features, epsilon=eps, weight_attr=None if affine else False, bias_attr=None if affine else False
    )
    return layer if dtype is None else layer.to(dtype=dtype)


@rule(torch.nn.InstanceNorm2d, layout={"weight": renamed("scale")})
def InstanceNorm2d(num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None):
    if track_running_stats:
        raise NotImplementedError("Paddle's InstanceNorm keeps no running statistics; track_running_stats=False")
    return paddle.nn.InstanceNorm2D(
        num_features, epsilon=eps, weight_attr=None if affine else False, bias_attr=None if affine else False
    )


@rule(torch.nn.InstanceNorm2d)
def InstanceNorm2d(  # noqa: F811
    num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None
):
    if track_running_stats:
        raise NotImplementedError("Paddle's InstanceNorm keeps no running statistics; track_running_stats=False")
    layer = paddle.nn.InstanceNorm2D(
        num_features, epsilon=eps, weight_attr=None if affine else False, bias_attr=None if affine else False
    )
    return layer if dtype is None else layer.to(dtype=dtype)


@rule(torch.nn.InstanceNorm3d, layout={"weight": renamed("scale")})
def InstanceNorm3d(num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None):
    if track_running_stats:
        raise NotImplementedError("Paddle's InstanceNorm keeps no running statistics; track_running_stats=False")
    return paddle.nn.InstanceNorm3D(
        num_features, epsilon=eps, weight_attr=None if affine else False, bias_attr=None if affine else False
    )


@rule(torch.nn.InstanceNorm3d)
def InstanceNorm3d(  # noqa: F811
    num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None
):
    if track_running_stats:
        raise NotImplementedError("Paddle's InstanceNorm keeps no running statistics; track_running_stats=False")
    layer = paddle.nn.InstanceNorm3D(
        num_features, epsilon=eps, weight_attr=None if affine else False, bias_attr=None if affine else False
    )
    return layer if dtype is None else layer.to(dtype=dtype)


class PlainGroupNorm(paddle.nn.GroupNorm):
    """Without weight and bias; Paddle's own then has a wrong gradient."""

    def __init__(self, num_groups, num_channels, eps):
        paddle.nn.Layer.__init__(self)
        self._num_groups, self._num_channels, self._epsilon = num_groups, num_channels, eps
        self.weight = self.bias = None

    def forward(self, x):
        groups = x.reshape([x.shape[0], self._num_groups, -1])
        centered = groups - groups.mean(axis=-1, keepdim=True)
        variance = (centered * centered).mean(axis=-1, keepdim=True)
        return (centered / (variance + self._epsilon).sqrt()).reshape(x.shape)


@rule(torch.nn.GroupNorm)
def GroupNorm(num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None):
    if not affine:
        return PlainGroupNorm(num_groups, num_channels, eps)
    return paddle.nn.GroupNorm(num_groups, num_channels, epsilon=eps, dtype=dtype)


@rule(torch.nn.LayerNorm, layout={"weight": flattened, "bias": flattened})
def LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None):
    return paddle.nn.LayerNorm(
        normalized_shape,
        epsilon=eps,
        dtype=dtype,
        weight_attr=None if elementwise_affine else False,
        bias_attr=None if elementwise_affine and bias else False,
    )


@rule(torch.nn.RMSNorm)
class RMSNorm(paddle.nn.Layer):
    """Paddle's own rms_norm runs on GPUs only."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        shape = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
        self.axes = list(range(-len(shape), 0))
        self.normalized_shape, self.eps, self.elementwise_affine = tuple(shape), eps, elementwise_affine
        self.weight = None
        if elementwise_affine:
            one = paddle.nn.initializer.Constant(1.0)
            self.weight = self.create_parameter(shape, dtype=dtype, default_initializer=one)

    def forward(self, x):
        eps = paddle.finfo(x.dtype).eps if self.eps is None else self.eps
        normed = x * paddle.rsqrt(paddle.mean(x * x, axis=self.axes, keepdim=True) + eps)
        return normed if self.weight is None else normed * self.weight


@rule(torch.nn.LocalResponseNorm)
def LocalResponseNorm(size, alpha=1e-4, beta=0.75, k=1.0):
    return paddle.nn.LocalResponseNorm(size, alpha=alpha, beta=beta, k=k)


@rule(torch.nn.CrossMapLRN2d)
def CrossMapLRN2d(size, alpha=1e-4, beta=0.75, k=1):
    return paddle.nn.LocalResponseNorm(size, alpha=alpha, beta=beta, k=k)


# What is read of them.


@rule("torch.nn.BatchNorm1d.running_mean", "torch.nn.BatchNorm2d.running_mean", "torch.nn.BatchNorm3d.running_mean")
def running_mean(self):
    return self._mean


@rule("torch.nn.BatchNorm1d.running_var", "torch.nn.BatchNorm2d.running_var", "torch.nn.BatchNorm3d.running_var")
def running_var(self):
    return self._variance


@rule("torch.nn.InstanceNorm1d.weight", "torch.nn.InstanceNorm2d.weight", "torch.nn.InstanceNorm3d.weight")
def instance_norm_weight(self):
    return self.scale


alias(torch.nn.modules.batchnorm._BatchNorm, "paddle.nn.layer.norm._BatchNormBase")
