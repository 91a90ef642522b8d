"""torch.nn: padding and pooling modules that OneFlow lacks, or whose own want a batch axis."""

import math

import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.nn.functional.fractional import fractional_windows
from rewriters.targets.oneflow.rules.nn.functional.pooling import unpooled


class Pooling(oneflow.nn.Module):
    """Gives an input without a batch axis one while it pools."""

    axes = 1

    def forward(self, x):
        alone = x.ndim == self.axes + 1
        found = self.pool(x.unsqueeze(0) if alone else x)
        if not alone:
            return found
        return tuple(part.squeeze(0) for part in found) if isinstance(found, (tuple, list)) else found.squeeze(0)

    def sizes(self, x):
        """For each axis; None keeps an axis as it is."""
        wanted = self.output_size
        wanted = [wanted] * self.axes if wanted is None or isinstance(wanted, int) else list(wanted)
        return [x.shape[2 + n] if size is None else size for n, size in enumerate(wanted)]

    def each(self, value):
        """An int for each axis."""
        return [value] * self.axes if isinstance(value, int) else list(value) * (self.axes if len(value) == 1 else 1)


class AdaptiveAverage(Pooling):
    def __init__(self, output_size):
        oneflow.nn.Module.__init__(self)
        self.output_size = output_size

    def pool(self, x):
        return getattr(oneflow.nn.functional, f"adaptive_avg_pool{self.axes}d")(x, self.sizes(x))


@family("1d 3d", "1 3")
@rule(torch.nn.AdaptiveAvgPool1d)
class AdaptiveAvgPool1d(AdaptiveAverage):
    axes = 1


class AdaptiveMaximum(Pooling):
    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def pool(self, x):
        sizes = self.sizes(x)
        pool = getattr(oneflow.nn.functional, f"adaptive_max_pool{self.axes}d")
        found = pool(x, sizes[0] if self.axes == 1 else sizes, True)
        return tuple(found) if self.return_indices else found[0]


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.AdaptiveMaxPool1d)
class AdaptiveMaxPool1d(AdaptiveMaximum):
    axes = 1


class Average(Pooling):
    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
    ):
        oneflow.nn.Module.__init__(self)
        self.kernel_size, self.stride, self.padding = kernel_size, stride or kernel_size, padding
        self.ceil_mode, self.count_include_pad, self.divisor_override = ceil_mode, count_include_pad, divisor_override

    def pool(self, x):
        options = {} if self.axes == 1 else {"divisor_override": self.divisor_override or 0}
        return getattr(oneflow.nn.functional, f"avg_pool{self.axes}d")(
            x, self.each(self.kernel_size), self.each(self.stride), self.each(self.padding),
            ceil_mode=self.ceil_mode, count_include_pad=self.count_include_pad, **options,
        )  # fmt: skip


@family("1d 3d", "1 3")
@rule(torch.nn.AvgPool1d)
class AvgPool1d(Average):
    axes = 1


class AvgPool2dOfPairs(Average, oneflow.nn.AvgPool2d):
    axes = 2


@rule(torch.nn.AvgPool2d)
def AvgPool2d(kernel_size: int, stride=None, padding=0):
    return oneflow.nn.AvgPool2d(kernel_size, stride=stride, padding=padding)


@rule(torch.nn.AvgPool2d)
def AvgPool2d(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    return AvgPool2dOfPairs(kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


class MaxPool2dOfPairs(Pooling, oneflow.nn.MaxPool2d):
    axes = 2

    def __init__(self, kernel_size, stride, padding, dilation, return_indices, ceil_mode):
        oneflow.nn.Module.__init__(self)
        layer = oneflow.nn.MaxPool2d(kernel_size, stride, padding, dilation, return_indices, ceil_mode)
        self.kernel_size, self.stride, self.padding = layer.kernel_size, layer.stride, layer.padding
        self.dilation, self.return_indices, self.ceil_mode = layer.dilation, return_indices, ceil_mode
        self.pooling = (layer,)  # is no layer of this one

    def pool(self, x):
        return self.pooling[0](x)


@rule(torch.nn.MaxPool2d)
def MaxPool2d(kernel_size: int, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    return oneflow.nn.MaxPool2d(
        kernel_size, stride=stride, padding=padding, dilation=dilation, return_indices=return_indices,
        ceil_mode=ceil_mode,
    )  # fmt: skip


@rule(torch.nn.MaxPool2d)
def MaxPool2d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    return MaxPool2dOfPairs(kernel_size, stride, padding, dilation, return_indices, ceil_mode)


class AdaptiveAvgPool2dOfPairs(AdaptiveAverage, oneflow.nn.AdaptiveAvgPool2d):
    axes = 2


@rule(torch.nn.AdaptiveAvgPool2d)
def AdaptiveAvgPool2d(output_size):
    if output_size in (1, (1, 1)):
        return oneflow.nn.AdaptiveAvgPool2d(output_size)
    return AdaptiveAvgPool2dOfPairs(output_size)


class PowerAverage(Pooling):
    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type, self.kernel_size, self.stride = norm_type, kernel_size, stride
        self.ceil_mode = ceil_mode

    def pool(self, x):
        mean = getattr(oneflow.nn.functional, f"avg_pool{self.axes}d")(
            oneflow.pow(x, self.norm_type), self.each(self.kernel_size), self.each(self.stride or self.kernel_size),
            ceil_mode=self.ceil_mode,
        )  # fmt: skip
        mean = oneflow.sign(mean) * oneflow.nn.functional.relu(oneflow.abs(mean))
        return oneflow.pow(mean * math.prod(self.each(self.kernel_size)), 1.0 / self.norm_type)


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.LPPool1d)
class LPPool1d(PowerAverage):
    axes = 1


class Fractional(oneflow.nn.Module):
    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        if (output_size is None) == (output_ratio is None):
            raise ValueError("FractionalMaxPool takes either output_size or output_ratio")
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)

    def forward(self, input):
        found = fractional_windows(
            input, self.axes, self.kernel_size, self.output_size, self.output_ratio, self._random_samples
        )
        return found if self.return_indices else found[0]


@family("2d 3d", "2 3")
@rule(torch.nn.FractionalMaxPool2d)
class FractionalMaxPool2d(Fractional):
    axes = 2


class Unpool(oneflow.nn.Module):
    """Each value at its index, zeros elsewhere: OneFlow's own ends the process without a batch axis."""

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride or kernel_size, padding

    def forward(self, input, indices, output_size=None):
        return unpooled(input, indices, self.kernel_size, self.stride, self.padding, output_size, self.axes)


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.MaxUnpool1d)
class MaxUnpool1d(Unpool):
    axes = 1
