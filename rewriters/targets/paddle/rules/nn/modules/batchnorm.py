"""torch.nn.modules: batch norms."""

import paddle
import torch

from rewriters.rule import dropped, family, note, renamed, rule

# Batch normalization.
note(
    torch.nn.BatchNorm1d,
    torch.nn.BatchNorm2d,
    torch.nn.BatchNorm3d,
    "Paddle's running variance is of the batch's n elements, torch's of n - 1: after training on small batches it is a "
    "little below torch's",
)


@family("1d 2d 3d")
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


@family("1d 2d 3d")
@rule(torch.nn.BatchNorm1d)
def BatchNorm1d(
    num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True
):
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's BatchNorm always keeps statistics; use_global_stats=False ignores them")
    if not bias:
        raise NotImplementedError("without a bias Paddle gives the weight no gradient; keep it")
    layer = paddle.nn.BatchNorm1D(
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


@rule(torch.nn.SyncBatchNorm)
def SyncBatchNorm(
    num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, process_group=None, device=None,
    dtype=None, *, bias=True,
):  # fmt: skip
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's SyncBatchNorm always tracks its statistics; pass track_running_stats=True")
    if not bias:
        raise NotImplementedError("without a bias Paddle gives the weight no gradient; keep it")
    layer = paddle.nn.SyncBatchNorm(
        num_features,
        momentum=1 - momentum,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )
    return layer if dtype is None else layer.to(dtype=dtype)


@rule(torch.nn.SyncBatchNorm.convert_sync_batchnorm)
def convert_sync_batchnorm(module, process_group=None):
    return paddle.nn.SyncBatchNorm.convert_sync_batchnorm(module)


# What is read of them.
@family("mean var", "self._mean self._variance")
@rule("torch.nn.BatchNorm1d.running_mean", "torch.nn.BatchNorm2d.running_mean", "torch.nn.BatchNorm3d.running_mean")
def running_mean(self):
    return self._mean
