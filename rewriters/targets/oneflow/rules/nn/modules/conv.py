"""torch.nn: convolutions. One sample without its batch axis: see unbatched.py beside it."""

import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.nn.functional.vision import padded
from rewriters.targets.oneflow.rules.products import wanting


class OfConvolutions(type):
    """OneFlow's convolutions have no class in common."""

    def __instancecheck__(cls, value):
        return issubclass(type(value), cls)

    def __subclasscheck__(cls, kind):
        nn = oneflow.nn
        transposed = (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)
        return issubclass(kind, (nn.Conv1d, nn.Conv2d, nn.Conv3d, *transposed))


@rule("torch.nn.modules.conv._ConvNd:test")
class AnyConvolution(metaclass=OfConvolutions):
    """What isinstance() takes for a convolution."""


@family("1d 2d")
@rule(torch.nn.Conv1d)
def Conv1d(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True):
    return oneflow.nn.Conv1d(
        in_channels, out_channels, kernel_size, stride=stride, padding=padding, dilation=dilation, groups=groups,
        bias=bias,
    )  # fmt: skip


@family("1d 2d 3d")
@rule(torch.nn.Conv1d)
def Conv1d(
    in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros",
    device=None, dtype=None,
):  # fmt: skip
    if padding_mode != "zeros":
        return Conv1dThatPads(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype
        )
    layer = oneflow.nn.Conv1d(
        in_channels, out_channels, kernel_size, stride=stride, padding=padding, dilation=dilation, groups=groups,
        bias=bias,
    )  # fmt: skip
    return layer.to(
        device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
    )


@rule(torch.nn.Conv3d)
def Conv3d(
    in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
):  # fmt: skip
    return oneflow.nn.Conv3d(
        in_channels, out_channels, kernel_size, stride=stride, padding=padding, dilation=dilation, groups=groups,
        bias=bias,
    )  # fmt: skip


@family("1d 2d 3d")
@rule(torch.nn.ConvTranspose1d)
def ConvTranspose1d(
    in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
):  # fmt: skip
    return oneflow.nn.ConvTranspose1d(
        in_channels, out_channels, kernel_size, stride=stride, padding=padding, output_padding=output_padding,
        groups=groups, bias=bias, dilation=dilation,
    )  # fmt: skip


@family("1d 2d 3d")
@rule(torch.nn.ConvTranspose1d)
def ConvTranspose1d(
    in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
    padding_mode="zeros", device=None, dtype=None,
):  # fmt: skip
    if padding_mode != "zeros":
        raise ValueError('Only "zeros" padding mode is supported for ConvTranspose')
    layer = oneflow.nn.ConvTranspose1d(
        in_channels, out_channels, kernel_size, stride=stride, padding=padding, output_padding=output_padding,
        groups=groups, bias=bias, dilation=dilation,
    )  # fmt: skip
    return layer.to(
        device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
    )


class MayBeFrozen:
    """A transposed convolution of OneFlow's that is given a weight with a gradient where its own has none."""

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
        dilation=1, padding_mode="zeros", device=None, dtype=None,
    ):  # fmt: skip
        if padding_mode != "zeros":
            raise ValueError('Only "zeros" padding mode is supported for ConvTranspose')
        super().__init__(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, output_padding=output_padding,
            groups=groups, bias=bias, dilation=dilation,
        )  # fmt: skip
        for place in (device, dtype):
            if place is not None:
                self.to(place)

    def forward(self, x):
        own = self.weight
        self._parameters["weight"] = wanting(own, x)
        try:
            return super().forward(x)
        finally:
            self._parameters["weight"] = own


@family("1d 2d 3d")
@rule("torch.nn.ConvTranspose1d:frozen")
class ConvTranspose1dThatMayBeFrozen(MayBeFrozen, oneflow.nn.ConvTranspose1d):
    """As OneFlow's own."""


class ThatPads:
    """A convolution that pads by itself: for "same" half at each end of an axis, what is left over at its end; with
    what padding_mode says.
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros", device=None, dtype=None,
    ):  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride=stride, dilation=dilation, groups=groups, bias=bias
        )
        self.mode, self.around = padding_mode, []
        sides = [0 if isinstance(padding, str) else padding] if isinstance(padding, (int, str)) else list(padding)
        sides = sides * (len(self.kernel_size) if len(sides) == 1 else 1)
        for size, step, side in zip(reversed(self.kernel_size), reversed(self.dilation), reversed(sides), strict=True):
            total = step * (size - 1) if padding == "same" else 2 * side
            self.around += [total // 2, total - total // 2]
        self.padding = self.given = padding if isinstance(padding, str) else tuple(sides)
        for place in (device, dtype):
            if place is not None:
                self.to(place)

    def forward(self, x):
        if self.mode != "zeros":  # what is padded was settled when the layer was made
            pad = padded(x, self.around, self.mode)
        elif self.padding == self.given:
            pad = oneflow.nn.functional.pad(x, self.around)
        else:  # another was stored
            return super().forward(x)
        return self.convolved(pad, self.weight, self.bias, self.stride, 0, self.dilation, self.groups)


@family("1d 2d 3d")
class Conv1dThatPads(ThatPads, oneflow.nn.Conv1d):
    convolved = staticmethod(oneflow.nn.functional.conv1d)


@family(
    "1d 1d 2d 2d 3d 3d",
    ("stride=1, *", "stride", "stride=1, *", "stride", "stride=1, *", "stride"),
    ("11", "11", "11, (3, 3), (5, 5), (7, 7)", "11, (3, 3), (5, 5), (7, 7)", "11, (3, 3, 3)", "11, (3, 3, 3)"),
    "Conv1dThatPads Conv1dThatPads Conv2dThatPads Conv2dThatPads Conv3dThatPads Conv3dThatPads",
)
@rule(torch.nn.Conv1d)
def Conv1d(
    in_channels, out_channels, kernel_size, stride=1, *, padding: str, dilation=1, groups=1, bias=True,
    padding_mode="zeros", device=None, dtype=None,
):  # fmt: skip
    plain = padding == "valid" or (isinstance(dilation, int) and kernel_size in (1, 3, 5, 7, 9, 11))
    if plain and device is None and dtype is None and padding_mode == "zeros":
        return oneflow.nn.Conv1d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, dilation=dilation, groups=groups,
            bias=bias,
        )  # fmt: skip
    return Conv1dThatPads(
        in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype
    )
