"""torch.nn.modules: pooling."""

import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.functional.pooling import (  # noqa: F401 (families name them)
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    fractional_max_pool2d,
    fractional_max_pool3d,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.parameter import Buffer


@family("1d 2d 3d")
@rule(torch.nn.MaxPool1d)
class MaxPool1d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def __call__(self, input):
        return max_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )


@rule(torch.nn.AvgPool1d)
class AvgPool1d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.ceil_mode, self.count_include_pad = padding, ceil_mode, count_include_pad

    def __call__(self, input):
        return avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


@family("2d 3d")
@rule(torch.nn.AvgPool2d)
class AvgPool2d(Module):
    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
    ):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.ceil_mode, self.count_include_pad = padding, ceil_mode, count_include_pad
        self.divisor_override = divisor_override

    def __call__(self, input):
        return avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


@family("1d 2d 3d")
@rule(torch.nn.AdaptiveAvgPool1d)
class AdaptiveAvgPool1d(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def __call__(self, input):
        return adaptive_avg_pool1d(input, self.output_size)


@family("1d 2d 3d")
@rule(torch.nn.AdaptiveMaxPool1d)
class AdaptiveMaxPool1d(Module):
    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def __call__(self, input):
        return adaptive_max_pool1d(input, self.output_size, self.return_indices)


@family("1d 2d 3d")
@rule(torch.nn.LPPool1d)
class LPPool1d(Module):
    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def __call__(self, input):
        return lp_pool1d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


@family("1d 2d 3d")
@rule(torch.nn.MaxUnpool1d)
class MaxUnpool1d(Module):
    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding

    def __call__(self, input, indices, output_size=None):
        return max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


@family("2d 3d")
@rule(torch.nn.FractionalMaxPool2d)
class FractionalMaxPool2d(Module):
    """Other windows in each channel, drawn anew at each call unless the samples are given."""

    def __init__(
        self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None, *, rngs=rngs
    ):
        super().__init__()
        if output_size is None and output_ratio is None:
            raise ValueError("FractionalMaxPool2d requires specifying either an output size, or a pooling ratio")
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self.return_indices, self.samples = return_indices, None if _random_samples is None else Buffer(_random_samples)
        self.rngs = rngs

    def __call__(self, input):
        return fractional_max_pool2d(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            None if self.samples is None else self.samples[...],
            rngs=self.rngs,
        )
