"""torch.nn.modules: padding."""

import jax.numpy as jnp
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.modules.weights import on_axes


class Padding(Module):
    """What padding layers share: of each of the last axes, how much comes before and behind."""

    axes, mode = 2, "constant"

    def __init__(self, padding):
        super().__init__()
        self.padding = on_axes(padding, 2 * self.axes)

    def __call__(self, input):
        pairs = [self.padding[place : place + 2] for place in range(0, 2 * self.axes, 2)]
        widths = [(0, 0)] * (input.ndim - self.axes) + pairs[::-1]
        if any(width < 0 for pair in widths for width in pair):
            if self.mode != "constant":
                raise NotImplementedError("jax.numpy.pad takes nothing away: cut the array before, by a slice")
            ends = zip(input.shape, widths, strict=True)
            input = input[tuple(slice(max(-a, 0), size - max(-b, 0)) for size, (a, b) in ends)]
            widths = [(max(a, 0), max(b, 0)) for a, b in widths]
        return self.padded(input, widths)

    def padded(self, input, widths):
        return jnp.pad(input, widths, self.mode)


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.ConstantPad1d)
class ConstantPad1d(Padding):
    axes = 1

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def padded(self, input, widths):
        return jnp.pad(input, widths, constant_values=self.value)


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.ZeroPad1d)
class ZeroPad1d(Padding):
    axes = 1


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.ReflectionPad1d)
class ReflectionPad1d(Padding):
    axes, mode = 1, "reflect"


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.ReplicationPad1d)
class ReplicationPad1d(Padding):
    axes, mode = 1, "edge"


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.CircularPad1d)
class CircularPad1d(Padding):
    axes, mode = 1, "wrap"
