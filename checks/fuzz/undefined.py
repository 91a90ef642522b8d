"""What a program does of which torch itself says no more than how it happens to come out, or a target's page that it
differs: neither is looked for by random programs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
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

    overlaps: something was written to elements that share memory with one another (``expand``, ``unfold``), or to some of
              which others are read for it (``x.mul_(x.t())``): which come first, torch does not say.
    relaid:   something was written to after a tensor was copied to be reshaped, which others that lie in memory
              otherwise are not: torch says of ``reshape`` not to depend on that.
    numbers:  something was written to after a tensor without axes was given some.
    nothing:  a mean was taken of nothing, by a loss too.
    narrow:   truth values or narrow integers without axes were summed.
    tied:     one of equal elements was taken: which, torch does not promise.
    seed:     by which it is decided what is rounded up and what down; by turns where it is 0.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.overlaps = self.nothing = self.narrow = self.relaid = self.numbers = False
        self.tied = False
        self.copied = self.with_axes = False
        self.spread: list[torch.Tensor] = []  # what has elements that are one in memory
        self.random = np.random.default_rng(seed) if seed else None

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        schema, given = func._schema, dict(kwargs or {})
        given |= {argument.name: value for argument, value in zip(schema.arguments, args, strict=False)}
        for argument in schema.arguments:
            value = given.get(argument.name)
            if argument.alias_info is not None and argument.alias_info.is_write and isinstance(value, torch.Tensor):
                self.overlaps |= overlapping(value) or (value._base is not None and overlapping(value._base))
                self.overlaps |= any(in_memory_of(value, other) for other in self.spread)
                self.overlaps |= any(reads_other_places(value, other) for other in given.values())
                self.relaid |= self.copied
                self.numbers |= self.with_axes
        name = schema.name.partition("::")[2]
        first = next((value for value in given.values() if isinstance(value, torch.Tensor)), None)
        self.copied |= name in {"_unsafe_view", "_reshape_copy"}
        self.with_axes |= name in {"view", "expand"} and first is not None and first.ndim == 0
        if first is not None and (name == "mean" or "loss" in name):
            self.nothing |= first.numel() == 0
        if first is not None and name == "sum":
            self.narrow |= first.ndim == 0 and not first.is_floating_point() and first.dtype != torch.int64
        if name.removesuffix("_backward") in SPREAD:
            given_to = 2 if name.endswith("_backward") else 1  # the gradient, and what the spread is of
            args = (*map(self.rounded, args[:given_to]), *args[given_to:])
            if name == "native_batch_norm" and args[5]:
                # a variance may be the mean of squares without the square of the mean
                args = (*args[:7], args[7] + ROUNDING * float((args[0] ** 2).mean()))
        result = func(*args, **(kwargs or {}))
        if name in {"expand", "unfold", "as_strided"} and overlapping(result):
            self.spread.append(result)
        if name in {"topk", "kthvalue"} and first is not None and first.ndim:
            self.tied |= among_equals(first, result[0], given.get("dim", -1))
        if name == "linalg_cross" and first is not None and result.is_floating_point():  # what may cancel out
            step = ROUNDING * 8 * float(first.abs().max()) ** 2
            return (result / step).round() * step if step else result
        return self.rounded(result) if name in ROUNDED else result

    def rounded(self, value: Any) -> Any:
        """A tensor whose elements are a little off, to one side or the other."""
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            return value
        signs = torch.ones(value.numel(), dtype=value.dtype)
        signs[::2] = -1
        if self.random is not None:
            signs = torch.from_numpy(self.random.choice([-1.0, 1.0], value.numel())).to(value.dtype)
        return value * (1 + ROUNDING * signs.view(value.shape))


def among_equals(tensor: torch.Tensor, taken: torch.Tensor, dim: int) -> bool:
    """Whether some of what was taken of a tensor is there more than once."""
    rows = tensor.movedim(dim, -1)
    picked = (taken if taken.ndim == tensor.ndim else taken.unsqueeze(dim)).movedim(dim, -1)
    return bool(((rows.unsqueeze(-2) == picked.unsqueeze(-1)).sum(-1) > 1).any())


def overlapping(tensor: torch.Tensor) -> bool:
    """Whether two of its elements are one in memory."""
    return is_looked_at(tensor) and len(places_of(tensor)) < tensor.numel()


def in_memory_of(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    return is_looked_at(tensor) and tensor.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def reads_other_places(written: torch.Tensor, read: object) -> bool:
    """Whether elements are read in the memory of what is written, in another order."""
    if not isinstance(read, torch.Tensor) or read is written or not (is_looked_at(written) and is_looked_at(read)):
        return False
    if written.untyped_storage().data_ptr() != read.untyped_storage().data_ptr() or written.dtype != read.dtype:
        return False
    ways = [(one.shape, one.stride(), one.storage_offset()) for one in (written, read)]
    return ways[0] != ways[1] and not places_of(written).isdisjoint(places_of(read))


def is_looked_at(tensor: torch.Tensor) -> bool:
    return tensor.layout == torch.strided and tensor.numel() <= LARGEST


def places_of(tensor: torch.Tensor) -> set[int]:
    """Where its elements lie in memory, in elements from where that begins."""
    places = {int(tensor.storage_offset())}
    for size, stride in zip(tensor.shape, tensor.stride(), strict=True):
        places = {place + stride * index for place in places for index in range(size)}
    return places
