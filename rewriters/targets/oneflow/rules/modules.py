"""torch.nn: modules that OneFlow lacks, or whose own differ, as classes with torch's parameters."""

import math

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.nn.LayerNorm)
def LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True):
    return oneflow.nn.LayerNorm(normalized_shape, eps=eps, elementwise_affine=elementwise_affine)


@rule(torch.nn.LayerNorm)
def LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None):  # noqa: F811
    if bias:
        return oneflow.nn.LayerNorm(normalized_shape, eps, elementwise_affine).to(
            device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
        )
    return LayerNormWithoutBias(normalized_shape, eps, elementwise_affine, device, dtype)


class LayerNormWithoutBias(oneflow.nn.LayerNorm):
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
        return found if self.weight is None else found * self.weight


@rule(torch.nn.RMSNorm)
class RMSNorm(oneflow.nn.Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.weight = oneflow.nn.Parameter(oneflow.ones(self.normalized_shape)) if elementwise_affine else None

    def forward(self, x):
        axes = list(range(x.ndim - len(self.normalized_shape), x.ndim))
        eps = oneflow.finfo(x.dtype).eps if self.eps is None else self.eps
        found = x * oneflow.rsqrt(oneflow.mean(x * x, axes, keepdim=True) + eps)
        return found if self.weight is None else found * self.weight


@rule(torch.nn.Bilinear)
class Bilinear(oneflow.nn.Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = oneflow.nn.Parameter(oneflow.empty(out_features, in1_features, in2_features))
        self.bias = oneflow.nn.Parameter(oneflow.empty(out_features)) if bias else None
        bound = 1 / math.sqrt(in1_features)
        oneflow.nn.init.uniform_(self.weight, -bound, bound)
        if bias:
            oneflow.nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        first = input1.reshape(-1, 1, self.in1_features, 1)
        found = oneflow.sum(first * input2.reshape(-1, 1, 1, self.in2_features) * self.weight.unsqueeze(0), [2, 3])
        found = found if self.bias is None else found + self.bias
        return found.reshape([*input1.shape[:-1], self.out_features])


class MaybeInPlace(oneflow.nn.Module):
    """A layer whose input becomes its output, where ``inplace`` asks for it."""

    def forward(self, x):
        if not self.inplace:
            return self.compute(x)
        x[...] = self.compute(x.clone())
        return x


@rule(torch.nn.Dropout1d, torch.nn.Dropout2d, torch.nn.Dropout3d)
class DropoutOfChannels(MaybeInPlace):
    """OneFlow's Dropout2d refuses every probability."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.p = p

    def compute(self, x):
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return x * 0
        kept = oneflow.rand([*x.shape[:2], *[1] * (x.ndim - 2)], device=x.device) >= self.p
        return x * kept.to(x.dtype) / (1 - self.p)


@rule(torch.nn.AlphaDropout)
class AlphaDropout(MaybeInPlace):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.p = p

    def mask_shape(self, x):
        return x.shape

    def compute(self, x):
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return x * 0
        low = -1.7580993408473766
        scale = (1 - self.p) ** -0.5 * (1 + self.p * low * low) ** -0.5
        kept = (oneflow.rand(self.mask_shape(x), device=x.device) >= self.p).to(x.dtype)
        return (x * kept + low * (1 - kept)) * scale - scale * self.p * low


@rule(torch.nn.FeatureAlphaDropout)
class FeatureAlphaDropout(AlphaDropout):
    def mask_shape(self, x):
        return [*x.shape[:2], *[1] * (x.ndim - 2)]


@rule(torch.nn.Tanhshrink)
class Tanhshrink(oneflow.nn.Module):
    def forward(self, x):
        return x - oneflow.tanh(x)


@rule(torch.nn.Hardsigmoid)
class Hardsigmoid(MaybeInPlace):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def compute(self, x):
        return oneflow.nn.functional.hardtanh(x / 6 + 0.5, 0.0, 1.0)


@rule(torch.nn.RReLU)
class RReLU(MaybeInPlace):
    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.lower, self.upper = lower, upper

    def compute(self, x):
        if not self.training:
            return oneflow.nn.functional.leaky_relu(x, (self.lower + self.upper) / 2)
        slope = oneflow.rand(x.shape, dtype=x.dtype, device=x.device) * (self.upper - self.lower) + self.lower
        return oneflow.where(x >= 0, x, slope * x)


@rule(torch.nn.PReLU)
class PReLU(oneflow.nn.Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = oneflow.nn.Parameter(oneflow.full((num_parameters,), init))

    def forward(self, x):
        many = self.num_parameters > 1
        shape = [-1 if many and axis == 1 else 1 for axis in range(x.ndim)]
        return oneflow.where(x > 0, x, self.weight.reshape(shape) * x)


@rule(torch.nn.Softmax2d)
class Softmax2d(oneflow.nn.Module):
    def forward(self, x):
        return oneflow.nn.functional.softmax(x, dim=-3)


@rule(torch.nn.Softmin)
class Softmin(oneflow.nn.Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        if x.ndim == 0:
            return oneflow.ones_like(x)
        axis = (0 if x.ndim in (1, 3) else 1) if self.dim is None else self.dim
        return oneflow.nn.functional.softmax(-x, dim=axis)


@rule(torch.nn.Softmax)
def Softmax(dim=None):
    return oneflow.nn.Softmax(dim=dim)


@rule(torch.nn.LogSoftmax)
def LogSoftmax(dim=None):
    return oneflow.nn.LogSoftmax(dim=dim)


@rule(torch.nn.GroupNorm)
def GroupNorm(num_groups, num_channels, eps=1e-05, affine=True):
    return oneflow.nn.GroupNorm(num_groups, num_channels, eps=eps, affine=affine)


@rule(torch.nn.GroupNorm)
def GroupNorm(  # noqa: F811
    num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, *, bias=True
):
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


@rule(torch.nn.PixelUnshuffle)
class PixelUnshuffle(oneflow.nn.Module):
    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, x):
        *batch, channels, height, width = x.shape
        factor = self.downscale_factor
        height, width = height // factor, width // factor
        blocks = x.reshape(-1, channels, height, factor, width, factor).permute(0, 1, 3, 5, 2, 4)
        return blocks.reshape(*batch, channels * factor**2, height, width)


@rule(torch.nn.ChannelShuffle)
class ChannelShuffle(oneflow.nn.Module):
    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, x):
        batch, channels, *rest = x.shape
        mixed = x.reshape(batch, self.groups, channels // self.groups, *rest).transpose(1, 2)
        return mixed.reshape(batch, channels, *rest)


@rule(torch.nn.Unflatten)
class Unflatten(oneflow.nn.Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, x):
        axis = self.dim % x.ndim
        return x.reshape([*x.shape[:axis], *self.unflattened_size, *x.shape[axis + 1 :]])
