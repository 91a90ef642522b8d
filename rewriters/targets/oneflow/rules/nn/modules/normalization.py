"""torch.nn.modules: norms of layers, groups and responses."""

import oneflow
import torch

from rewriters.rule import Rank, family, rule, same
from rewriters.targets.oneflow.rules.nn.modules.batchnorm import (
    BatchNorm1dOfAnyKind,
    BatchNorm2dOfAnyKind,
    BatchNorm3dOfAnyKind,
)


@rule(torch.nn.LayerNorm)
def LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True):
    return oneflow.nn.LayerNorm(normalized_shape, eps=eps, elementwise_affine=elementwise_affine)


@rule(torch.nn.LayerNorm)
def LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None):
    if bias:
        return oneflow.nn.LayerNorm(normalized_shape, eps, elementwise_affine).to(
            device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
        )
    return LayerNormInParts(normalized_shape, eps, elementwise_affine, device, dtype)


class LayerNormInParts(oneflow.nn.LayerNorm):
    def __init__(self, normalized_shape, eps, elementwise_affine, device, dtype):
        oneflow.nn.Module.__init__(self)
        self.elementwise_affine = elementwise_affine
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.bias = eps, None
        self.weight = oneflow.nn.Parameter(oneflow.ones(self.normalized_shape)) if elementwise_affine else None
        if device is not None or dtype is not None:
            self.to(
                device="cpu" if device is None else device,
                dtype=oneflow.get_default_dtype() if dtype is None else dtype,
            )

    def forward(self, x):
        axes = list(range(x.ndim - len(self.normalized_shape), x.ndim))
        away = x - oneflow.mean(x, axes, keepdim=True)
        found = away * oneflow.rsqrt(oneflow.mean(away * away, axes, keepdim=True) + self.eps)
        found = found if self.weight is None else found * self.weight
        return found if self.bias is None else found + self.bias


@family("weight bias")
@rule("torch.nn.LayerNorm.weight:removed")
def set_layer_norm_weight(layer, value):
    """Where one of the two parameters is missing, OneFlow's leaves the other out."""
    layer.weight = value
    if value is None:
        layer.__class__ = LayerNormInParts


@rule(torch.nn.RMSNorm)
class RMSNorm(oneflow.nn.Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        ones = oneflow.ones(self.normalized_shape, device=device, dtype=dtype)
        self.weight = oneflow.nn.Parameter(ones) if elementwise_affine else None

    def forward(self, x):
        axes = list(range(x.ndim - len(self.normalized_shape), x.ndim))
        eps = oneflow.finfo(x.dtype).eps if self.eps is None else self.eps
        found = x * oneflow.rsqrt(oneflow.mean(x * x, axes, keepdim=True) + eps)
        return found if self.weight is None else (found * self.weight).to(x.dtype)


@rule(torch.nn.GroupNorm)
def GroupNorm(num_groups, num_channels, eps=1e-05, affine=True):
    return oneflow.nn.GroupNorm(num_groups, num_channels, eps=eps, affine=affine)


@rule(torch.nn.GroupNorm)
def GroupNorm(num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, *, bias=True):
    if bias:
        return oneflow.nn.GroupNorm(num_groups, num_channels, eps, affine).to(
            device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
        )
    return GroupNormWithoutBias(num_groups, num_channels, eps, affine)


class GroupNormWithoutBias(oneflow.nn.GroupNorm):
    def __init__(self, num_groups, num_channels, eps, affine):
        oneflow.nn.Module.__init__(self)
        self.affine = affine
        self.num_groups, self.num_channels, self.eps = num_groups, num_channels, eps
        self.weight = oneflow.nn.Parameter(oneflow.ones(num_channels)) if affine else None
        self.bias = None

    def forward(self, x):
        rows = x.reshape(x.shape[0], self.num_groups, -1)
        away = rows - oneflow.mean(rows, 2, keepdim=True)
        found = (away * oneflow.rsqrt(oneflow.mean(away * away, 2, keepdim=True) + self.eps)).reshape(x.shape)
        shape = [1, -1] + [1] * (x.ndim - 2)
        return found if self.weight is None else found * self.weight.reshape(shape)


@rule(torch.nn.LocalResponseNorm)
class LocalResponseNorm(oneflow.nn.Module):
    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, x):
        channels = x.shape[1]
        flat = (x * x).reshape(x.shape[0], channels, -1)
        before = oneflow.nn.functional.pad(flat, (0, 0, self.size // 2, (self.size - 1) // 2))
        total = sum(oneflow.narrow(before, 1, shift, channels) for shift in range(self.size))
        return x / oneflow.pow(total.reshape(x.shape) * (self.alpha / self.size) + self.k, self.beta)


@rule("torch.nn.GroupNorm:call")
def group_norm_of_vectors(self, input: Rank[2]):
    return self(input.unsqueeze(-1)).squeeze(-1)


same("torch.nn.LayerNorm.reset_parameters", "torch.nn.GroupNorm.reset_parameters")


KINDS = {
    oneflow.nn.LayerNorm: LayerNormInParts,
    oneflow.nn.BatchNorm1d: BatchNorm1dOfAnyKind,
    oneflow.nn.BatchNorm2d: BatchNorm2dOfAnyKind,
    oneflow.nn.BatchNorm3d: BatchNorm3dOfAnyKind,
}


@rule("torch.nn.Module:removed")
def remove_parameter(layer, name):
    """Store None; a norm of which one parameter is missing goes on with the other, which OneFlow's leaves out."""
    setattr(layer, name, None)
    for kind, other in KINDS.items():
        if name in ("weight", "bias") and isinstance(layer, kind) and not isinstance(layer, other):
            own = type(layer)
            layer.__class__ = other if own is kind else type(own.__name__, (own, other), {})
