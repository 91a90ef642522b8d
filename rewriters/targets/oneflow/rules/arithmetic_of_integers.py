"""Integers and truth values where OneFlow keeps a narrow dtype: torch counts in int64, and takes on a number's kind.

These overloads answer before the general ones, whose files come later.
"""

import oneflow
import torch

from rewriters.rule import BoolTensor, IntTensor, rule
from rewriters.targets.oneflow.rules.binary import clamp as torch_clamp


@rule(torch.prod, torch.Tensor.prod)
def prod(input: IntTensor | BoolTensor, *, dtype=None):
    return oneflow.prod(input.to(oneflow.int64 if dtype is None else dtype))


@rule(torch.prod, torch.Tensor.prod)
def prod(input: IntTensor | BoolTensor, dim, keepdim=False, *, dtype=None):  # noqa: F811
    return oneflow.prod(input.to(oneflow.int64 if dtype is None else dtype), dim, keepdim=keepdim)


@rule(torch.cumprod, torch.Tensor.cumprod)
def cumprod(input: IntTensor | BoolTensor, dim, *, dtype=None):
    return oneflow.cumprod(input.to(oneflow.int64 if dtype is None else dtype), dim)


@rule(torch.sum, torch.Tensor.sum)
def sum(input: IntTensor | BoolTensor, dim=(), keepdim=False, *, dtype):
    # OneFlow's sum of integers is int64 whatever they were
    return oneflow.sum(input.to(dtype), dim, keepdim=keepdim).to(dtype)


@rule(torch.Tensor.mean)
def mean(self, dim=(), keepdim=False, *, dtype):
    return oneflow.mean(self.to(dtype), dim, keepdim=keepdim)


@rule(torch.Tensor.mean)
def mean(self):  # noqa: F811
    return self.mean()


@rule(torch.Tensor.mean)
def mean(self, dim, keepdim=False):  # noqa: F811
    return self.mean(dim, keepdim)


@rule(torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip)
def clamp(input: IntTensor, min: float, max: int | float | None = None):
    return oneflow.clamp(input.to(oneflow.float32), min, max)


@rule(torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip)
def clamp(input: IntTensor, min: int | float | None = None, *, max: float):  # noqa: F811
    return oneflow.clamp(input.to(oneflow.float32), min=min, max=max)


@rule(torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip)
def clamp(input: IntTensor, min: int | None, max: float):  # noqa: F811
    return oneflow.clamp(input.to(oneflow.float32), min, max)


@rule("torch.clamp:fraction", "torch.clip:fraction", "torch.Tensor.clamp:fraction", "torch.Tensor.clip:fraction")
def clamp_by_fraction(input, min=None, max=None):
    return torch_clamp(input if input.is_floating_point() else input.to(oneflow.get_default_dtype()), min, max)


@rule(torch.clamp_min, torch.Tensor.clamp_min)
def clamp_min(input: IntTensor, min: float):
    return oneflow.clamp(input.to(oneflow.float32), min=min)


@rule(torch.clamp_max, torch.Tensor.clamp_max)
def clamp_max(input: IntTensor, max: float):
    return oneflow.clamp(input.to(oneflow.float32), max=max)


WHOLE = ("int64", "int32", "int8", "uint8")


@rule(torch.linspace)
def linspace(start, end, steps, *, dtype, layout=None, device=None, requires_grad=False):
    # of integers OneFlow steps by a cut-off step
    if str(dtype).rpartition(".")[2] in WHOLE:
        values = oneflow.linspace(start, end, steps, dtype=oneflow.float64, device=device)
        return values.to(dtype)
    return oneflow.linspace(start, end, steps, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.linspace)
def linspace(start, end, steps, *, layout=None, device=None, requires_grad=False):  # noqa: F811
    return oneflow.linspace(start, end, steps, device=device, requires_grad=requires_grad)


@rule(torch.dtype.itemsize)
def dtype_itemsize(self):
    return oneflow.zeros(1, dtype=self).element_size()


TYPES = {
    "FloatTensor": "float32", "DoubleTensor": "float64", "HalfTensor": "float16", "LongTensor": "int64",
    "IntTensor": "int32", "CharTensor": "int8", "ByteTensor": "uint8", "BoolTensor": "bool",
}  # fmt: skip


@rule(torch.Tensor.type)
def cast_by_name(self, dtype: str, non_blocking=False):
    return self.to(getattr(oneflow, TYPES[dtype.rpartition(".")[2]]))
