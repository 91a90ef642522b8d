"""Functions of numpy's give tensors of tensors."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
import numpy as np
import torch
from torch import nn
x = torch.arange(4.0).reshape(2, 2) - 1
i = torch.tensor([3, -7])
b = x > 0
def kind(y):
    return "tensor" if torch.is_tensor(y) else type(y).__name__
for y in (np.add(x, 1), np.exp(x), np.sqrt(x + 1), np.maximum(x, 1.0), np.abs(i), np.sign(x)):
    show(y, kind(y))
for y in (np.multiply(np.ones(2), x), np.exp(i), np.greater(x, 0), np.logical_and(b, b)):
    show(y, kind(y))
for y in (np.matmul(x, x), np.clip(x, 0, 1), np.round(x), np.squeeze(x[:1]), np.argmax(x), np.cumsum(x), np.add(x, x)):
    show(y, kind(y))
y = np.exp(x)
y.mul_(2)
show(y.max(1), y.numpy(), float(np.exp(torch.tensor(1.0))))
out = np.zeros((2, 2), np.float32)
np.add(x, 1, out=out)
show(out, kind(np.add(x.numpy(), 1)))
class M(nn.Module):
    def forward(self, x):
        return np.tanh(x) + np.power(x, 2)
show(M()(x), np.log1p(  # a comment
    x + 2,
    dtype=np.float64,
))
def f(t=None):
    t = x if t is None else t
    return np.exp(t)
show(f(), kind(f(1.0)), kind(f(np.ones(2))))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_functions_of_numpys_give_tensors(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)


OF_OTHERS = """
import numpy as np
import torch


def part(array, length, axis=-1):
    if torch.is_tensor(array):
        array = array.index_select(dim=axis, index=torch.arange(length))
    else:
        array = array.take(indices=range(length), axis=axis)
        array = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, 1)]).astype(np.float32)
    return array


def furthest(x):
    if not isinstance(x, torch.Tensor):
        return x.max(axis=0), x.std(0), x.clip(max=2.0)
    return x.max(0).values, x.std(0), x.clamp(max=2.0)


x = torch.arange(6.0).reshape(2, 3)
show(part(x, 2), part(x, 2).mul(2).sum(0), *furthest(x))
others = {name: globals()[name] for name in ("part", "furthest")}
show(others["part"](x.numpy(), 2), *others["furthest"](x.numpy()))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_what_only_others_give_stays_numpys(agrees: Callable[..., object], target: str) -> None:
    agrees(OF_OTHERS, target)
