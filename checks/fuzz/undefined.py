"""What a program does of which torch itself says no more than how it happens to come out, or a target's page that it
differs: neither is looked for by random programs.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

LARGEST = 4096  # elements of a tensor whose places in memory are counted
# Sums of many products, which no two libraries round alike.
ROUNDED = {"mm", "addmm", "bmm", "baddbmm", "convolution", "_log_softmax"}
# What divides by the spread of what it is given, which may be that of its rounding.
SPREAD = {"native_layer_norm", "native_batch_norm", "_native_batch_norm_legit", "native_group_norm"}
ROUNDING = 3e-7


class Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees each of torch's operations, and rounds some another way.

    overlaps: something was written to elements that share memory with one another (``expand``, ``unfold``).
    nothing:  a mean was taken of nothing, by a loss too.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.overlaps = self.nothing = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        schema, given = func._schema, dict(kwargs or {})
        given |= {argument.name: value for argument, value in zip(schema.arguments, args, strict=False)}
        for argument in schema.arguments:
            value = given.get(argument.name)
            if argument.alias_info is not None and argument.alias_info.is_write and isinstance(value, torch.Tensor):
                self.overlaps |= overlapping(value) or (value._base is not None and overlapping(value._base))
        name = schema.name.partition("::")[2]
        first = next((value for value in given.values() if isinstance(value, torch.Tensor)), None)
        if first is not None and (name == "mean" or "loss" in name):
            self.nothing |= first.numel() == 0
        if name in SPREAD:
            args = (rounded(args[0]), *args[1:])
        result = func(*args, **(kwargs or {}))
        return rounded(result) if name in ROUNDED else result


def rounded(value: Any) -> Any:
    """A tensor whose elements are a little off, by turns to one side and the other."""
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return value
    signs = torch.ones(value.numel(), dtype=value.dtype)
    signs[::2] = -1
    return value * (1 + ROUNDING * signs.view(value.shape))


def overlapping(tensor: torch.Tensor) -> bool:
    """Whether two of its elements are one in memory."""
    if tensor.layout != torch.strided or tensor.numel() > LARGEST:
        return False
    places = {0}
    for size, stride in zip(tensor.shape, tensor.stride(), strict=True):
        places = {place + stride * index for place in places for index in range(size)}
    return len(places) < tensor.numel()
