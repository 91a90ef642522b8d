"""torch.nn.modules: convolutions. Channels come first as in torch, and kernels are kept as nnx.Conv keeps them."""

import math

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import family, rule, same
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.modules.stored import View
from rewriters.targets.jax.rules.nn.modules.weights import draw_anew, on_axes, within

same(
    "torch.nn.Conv1d.weight", "torch.nn.Conv2d.weight", "torch.nn.Conv3d.weight",
    "torch.nn.Conv1d.bias", "torch.nn.Conv2d.bias", "torch.nn.Conv3d.bias",
    "torch.nn.modules.conv._ConvNd.in_channels", "torch.nn.modules.conv._ConvNd.out_channels",
    "torch.nn.modules.conv._ConvNd.kernel_size", "torch.nn.modules.conv._ConvNd.stride",
    "torch.nn.modules.conv._ConvNd.padding", "torch.nn.modules.conv._ConvNd.dilation",
    "torch.nn.modules.conv._ConvNd.reset_parameters",
    "torch.nn.modules.conv._ConvNd.groups", "torch.nn.modules.conv._ConvNd.padding_mode",
    "torch.nn.ConvTranspose1d.weight", "torch.nn.ConvTranspose2d.weight", "torch.nn.ConvTranspose3d.weight",
    "torch.nn.ConvTranspose1d.bias", "torch.nn.ConvTranspose2d.bias", "torch.nn.ConvTranspose3d.bias",
)  # fmt: skip

AXES = "DHW"
PADS_BY = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


class OfKernel(Module):
    """A layer over any number of axes with a ``kernel``; ``weight`` is that as torch has it."""

    axes = 2

    @property
    def torchs(self):
        return {"kernel": ("weight", (*range(2, self.axes + 2), 1, 0))}

    @property
    def weight(self):
        return View(self.kernel, (*range(2, self.axes + 2), 1, 0))

    @weight.setter
    def weight(self, value):
        if isinstance(value, View):
            self.kernel = value.variable
        else:
            self.weight.set_value(value[...])

    def reset_parameters(self):
        *window, rows, _ = self.kernel.shape
        draw_anew(self, rngs.params, within(rows * math.prod(window)))

    def made(self):
        """Have a derived class draw its first values, if it has a way of its own."""
        if type(self).reset_parameters is not OfKernel.reset_parameters:
            self.reset_parameters()


class Convolution(OfKernel):
    """What convolutions share."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__()
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = on_axes(kernel_size, self.axes), on_axes(stride, self.axes)
        self.dilation, self.padding_mode = on_axes(dilation, self.axes), padding_mode
        self.padding = padding if isinstance(padding, str) else on_axes(padding, self.axes)
        self.around = self.pads()  # another mode than zeros keeps to what it was made with
        key, dtype = rngs.params, dtype or jnp.float32
        init = within(in_channels // groups * math.prod(self.kernel_size))
        self.kernel = nnx.Param(init(key(), (*self.kernel_size, in_channels // groups, out_channels), dtype))
        self.bias = nnx.Param(init(key(), (out_channels,), dtype)) if bias else None
        self.made()

    def pads(self):
        """What is added before and behind each axis."""
        if self.padding == "valid":
            return [(0, 0)] * self.axes
        if self.padding == "same":
            spans = [
                step * (size - 1)
                for step, size in zip(on_axes(self.dilation, self.axes), self.kernel_size, strict=True)
            ]
            return [(span // 2, span - span // 2) for span in spans]
        return [(size, size) for size in on_axes(self.padding, self.axes)]

    def __call__(self, input):
        if type(self)._conv_forward is not Convolution._conv_forward:  # a derived class has its own
            return self._conv_forward(input, self.weight, self.bias)
        return self.convolved(input, self.kernel[...], f"{AXES[-self.axes :]}IO", self.bias)

    def _conv_forward(self, input, weight, bias):
        return self.convolved(input, weight, f"OI{AXES[-self.axes :]}", bias)

    def convolved(self, input, kernel, order, bias):
        batched = input.ndim == self.axes + 2
        x, pads, axes = input if batched else input[None], self.pads(), AXES[-self.axes :]
        if self.padding_mode != "zeros":
            pads = [(0, 0)] * self.axes
            x = jnp.pad(x, [(0, 0), (0, 0), *self.around], PADS_BY[self.padding_mode])
        x = jax.lax.conv_general_dilated(
            x,
            kernel,
            on_axes(self.stride, self.axes),
            pads,
            rhs_dilation=on_axes(self.dilation, self.axes),
            dimension_numbers=(f"NC{axes}", order, f"NC{axes}"),
            feature_group_count=self.groups,
        )
        if bias is not None:
            x = x + bias.reshape(-1, *[1] * self.axes)
        return x if batched else x[0]


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.Conv1d)
class Conv1d(Convolution):
    axes = 1


class TransposedConvolution(OfKernel):
    """What transposed convolutions share; the kernel as nnx.ConvTranspose keeps it with transpose_kernel=True."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__()
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = on_axes(kernel_size, self.axes), on_axes(stride, self.axes)
        self.dilation, self.padding_mode = on_axes(dilation, self.axes), padding_mode
        self.padding, self.output_padding = on_axes(padding, self.axes), on_axes(output_padding, self.axes)
        key, dtype = rngs.params, dtype or jnp.float32
        init = within(out_channels // groups * math.prod(self.kernel_size))
        self.kernel = nnx.Param(init(key(), (*self.kernel_size, out_channels // groups, in_channels), dtype))
        self.bias = nnx.Param(init(key(), (out_channels,), dtype)) if bias else None
        self.made()

    def __call__(self, input, output_size=None):
        if output_size is not None:
            raise NotImplementedError("output_size is not followed here; give output_padding when the layer is made")
        batched = input.ndim == self.axes + 2
        x, axes = input if batched else input[None], AXES[-self.axes :]
        kernel = jnp.flip(self.kernel[...], tuple(range(self.axes)))
        *window, columns, rows = kernel.shape
        kernel = kernel.reshape(*window, columns, self.groups, rows // self.groups)
        kernel = jnp.moveaxis(kernel, -1, -3).reshape(*window, rows // self.groups, columns * self.groups)
        order = jnp.arange(columns * self.groups).reshape(columns, self.groups).T.reshape(-1)
        kernel = kernel[..., order] if self.groups > 1 else kernel
        spans = [step * (size - 1) for step, size in zip(on_axes(self.dilation, self.axes), window, strict=True)]
        pads = [
            (span - size, span - size + more)
            for span, size, more in zip(spans, on_axes(self.padding, self.axes), self.output_padding, strict=True)
        ]
        x = jax.lax.conv_general_dilated(
            x,
            kernel,
            (1,) * self.axes,
            pads,
            lhs_dilation=on_axes(self.stride, self.axes),
            rhs_dilation=on_axes(self.dilation, self.axes),
            dimension_numbers=(f"NC{axes}", f"{axes}IO", f"NC{axes}"),
            feature_group_count=self.groups,
        )
        if self.bias is not None:
            x = x + self.bias.reshape(-1, *[1] * self.axes)
        return x if batched else x[0]


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.ConvTranspose1d)
class ConvTranspose1d(TransposedConvolution):
    axes = 1
