"""torch.nn.modules: padding."""

import oneflow
import torch

from rewriters.rule import family, rule


class Padding(oneflow.nn.Module):
    """Pads axis by axis, by the indices that each place of the result takes its values from.

    axes: how many, from the last one on. padding: before and after each, from the last one on; or one for all.
    """

    axes, mode = 1, "circular"

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * (2 * self.axes) if isinstance(padding, int) else tuple(padding)

    def forward(self, x):
        if self.mode == "constant":
            return oneflow.nn.functional.pad(x, self.padding)
        for place in range(self.axes):
            axis = x.ndim - 1 - place
            before, after, length = self.padding[2 * place], self.padding[2 * place + 1], x.shape[axis]
            if before < 0 or after < 0:
                low, high = max(-before, 0), max(-after, 0)
                length = length - low - high
                x, before, after = oneflow.narrow(x, axis, low, length), before + low, after + high
            places = range(-before, length + after)
            if self.mode == "replicate":
                taken = [min(max(n, 0), length - 1) for n in places]
            elif self.mode == "reflect":
                taken = [-n if n < 0 else 2 * length - 2 - n if n >= length else n for n in places]
            else:
                taken = [n % length for n in places]
            x = oneflow.index_select(x, axis, oneflow.tensor(taken, dtype=oneflow.int64, device=x.device))
        return x


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.CircularPad1d)
class CircularPad1d(Padding):
    axes = 1


@family("ReflectionPad3d ReplicationPad3d ZeroPad1d ZeroPad3d", "3 3 1 3", "reflect replicate constant constant")
@rule(torch.nn.ReflectionPad3d)
class ReflectionPad3d(Padding):
    axes, mode = 3, "reflect"
