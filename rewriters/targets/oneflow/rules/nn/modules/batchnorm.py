"""torch.nn.modules: batch norms."""

import oneflow
import torch

from rewriters.rule import alias, family, rule

alias(torch.nn.modules.batchnorm._BatchNorm, "oneflow.nn.modules.batchnorm._BatchNorm")


@family("1d 2d 3d", "BatchNorm1dOfAnyKind BatchNorm2dOfAnyKind BatchNorm3dOfAnyKind")
@rule(torch.nn.BatchNorm1d)
def BatchNorm1d(num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True):
    if momentum is None or not track_running_stats:
        return BatchNorm1dOfAnyKind(num_features, eps, momentum, affine, track_running_stats)
    return oneflow.nn.BatchNorm1d(num_features, eps=eps, momentum=momentum, affine=affine)


@family("1d 2d 3d", "BatchNorm1dOfAnyKind BatchNorm2dOfAnyKind BatchNorm3dOfAnyKind")
@rule(torch.nn.BatchNorm1d)
def BatchNorm1d(num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
    if momentum is None or not track_running_stats:
        layer = BatchNorm1dOfAnyKind(num_features, eps, momentum, affine, track_running_stats)
    else:
        layer = oneflow.nn.BatchNorm1d(num_features, eps=eps, momentum=momentum, affine=affine)
    return layer.to(
        device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
    )


@rule(torch.nn.SyncBatchNorm)
def SyncBatchNorm(num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, process_group=None):
    return oneflow.nn.SyncBatchNorm(num_features, eps, momentum, affine, track_running_stats)


@rule(torch.nn.SyncBatchNorm.convert_sync_batchnorm)
def convert_sync_batchnorm(module, process_group=None):
    return oneflow.nn.SyncBatchNorm.convert_sync_batchnorm(module)


class BatchNormOfAnyKind:
    """With an average over all batches (momentum None), or without running statistics: OneFlow's own has neither.

    Nor has it a weight without a bias, or a bias without a weight.

    instance: for statistics of each sample, how many axes an input with a batch has; one with fewer is given a batch.
    """

    instance = 0

    def __init__(self, num_features, eps, momentum, affine, track_running_stats, instance=0):
        oneflow.nn.Module.__init__(self)
        self.affine, self.track_running_stats = affine, track_running_stats
        self.num_features, self.eps, self.momentum, self.instance = num_features, eps, momentum, instance
        self.weight = oneflow.nn.Parameter(oneflow.ones(num_features)) if affine else None
        self.bias = oneflow.nn.Parameter(oneflow.zeros(num_features)) if affine else None
        kept = track_running_stats
        self.register_buffer("running_mean", oneflow.zeros(num_features) if kept else None)
        self.register_buffer("running_var", oneflow.ones(num_features) if kept else None)
        self.register_buffer("num_batches_tracked", oneflow.tensor(0) if kept else None)

    def forward(self, x):
        alone = x.ndim == self.instance - 1
        rows = x.unsqueeze(0) if alone else x
        shape = [1, -1] + [1] * (rows.ndim - 2)
        axes = list(range(2, rows.ndim)) if self.instance else [0, *range(2, rows.ndim)]
        if self.training or self.running_mean is None:
            mean = oneflow.mean(rows, axes, keepdim=True)
            var = oneflow.mean(oneflow.square(rows - mean), axes, keepdim=True)
            if self.training and self.track_running_stats and self.running_mean is not None:
                self.follow(mean.detach(), var.detach(), rows.numel() // mean.numel())
        else:
            mean, var = self.running_mean.reshape(shape), self.running_var.reshape(shape)
        found = (rows - mean) * oneflow.rsqrt(var + self.eps)
        if self.weight is not None:
            found = found * self.weight.reshape(shape)
        if self.bias is not None:
            found = found + self.bias.reshape(shape)
        return found.squeeze(0) if alone else found

    def follow(self, mean, var, count):
        """Move the running statistics towards those of a batch."""
        if not self.instance:
            self.num_batches_tracked.add_(1)
        share = 1.0 / float(self.num_batches_tracked) if self.momentum is None else self.momentum
        mean = oneflow.mean(mean, 0).reshape(-1)
        var = oneflow.mean(var, 0).reshape(-1) * (count / max(count - 1, 1))
        self.running_mean.copy_(self.running_mean * (1 - share) + mean * share)
        self.running_var.copy_(self.running_var * (1 - share) + var * share)


@family("1d 2d 3d")
class BatchNorm1dOfAnyKind(BatchNormOfAnyKind, oneflow.nn.BatchNorm1d):
    pass


@family("1d 2d 3d")
@rule("torch.nn.BatchNorm1d.track_running_stats=")
def set_batch_norm1d_tracking(layer, value):
    """OneFlow's own moves its statistics all the same."""
    layer.track_running_stats = value
    layer.__class__ = BatchNorm1dOfAnyKind


@family("1d 2d 3d")
@rule("torch.nn.BatchNorm1d.weight:removed")
def set_batch_norm1d_weight(layer, value):
    """Where one of the two parameters is missing, OneFlow's leaves the other out."""
    layer.weight = value
    if value is None:
        layer.__class__ = BatchNorm1dOfAnyKind


@family("1d 2d 3d")
@rule("torch.nn.BatchNorm1d.bias:removed")
def set_batch_norm1d_bias(layer, value):
    """Where one of the two parameters is missing, OneFlow's leaves the other out."""
    layer.bias = value
    if value is None:
        layer.__class__ = BatchNorm1dOfAnyKind
