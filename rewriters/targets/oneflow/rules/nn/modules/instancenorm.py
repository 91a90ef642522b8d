"""torch.nn.modules: instance norms."""

import oneflow
import torch

from rewriters.rule import alias, family, rule
from rewriters.targets.oneflow.rules.nn.modules.batchnorm import BatchNormOfAnyKind

alias(torch.nn.modules.instancenorm._InstanceNorm, "oneflow.nn.modules.instancenorm._InstanceNorm")


class InstanceNorm1dOfAnyKind(BatchNormOfAnyKind, oneflow.nn.InstanceNorm1d):
    pass


class InstanceNorm2dOfAnyKind(BatchNormOfAnyKind, oneflow.nn.InstanceNorm2d):
    pass


class InstanceNorm3dOfAnyKind(BatchNormOfAnyKind, oneflow.nn.InstanceNorm3d):
    pass


@rule(torch.nn.InstanceNorm1d)
def InstanceNorm1d(num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False):
    # OneFlow's own takes no input without a batch
    return InstanceNorm1dOfAnyKind(num_features, eps, momentum, affine, track_running_stats, 3)


@family("1d 3d", "InstanceNorm1dOfAnyKind InstanceNorm3dOfAnyKind", "3 5")
@rule(torch.nn.InstanceNorm1d)
def InstanceNorm1d(
    num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None
):
    # OneFlow's own takes no input without a batch
    layer = InstanceNorm1dOfAnyKind(num_features, eps, momentum, affine, track_running_stats, 3)
    return layer.to(
        device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
    )


@rule(torch.nn.InstanceNorm2d)
def InstanceNorm2d(num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False):
    if track_running_stats:
        return InstanceNorm2dOfAnyKind(num_features, eps, momentum, affine, True, 4)
    return oneflow.nn.InstanceNorm2d(num_features, eps=eps, momentum=momentum, affine=affine)


@rule(torch.nn.InstanceNorm2d)
def InstanceNorm2d(
    num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None
):
    if track_running_stats:
        layer = InstanceNorm2dOfAnyKind(num_features, eps, momentum, affine, True, 4)
    else:
        layer = oneflow.nn.InstanceNorm2d(num_features, eps=eps, momentum=momentum, affine=affine)
    return layer.to(
        device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
    )


@rule(torch.nn.InstanceNorm3d)
def InstanceNorm3d(num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False):
    # OneFlow's own takes no input without a batch
    return InstanceNorm3dOfAnyKind(num_features, eps, momentum, affine, track_running_stats, 5)
