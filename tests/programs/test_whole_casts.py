"""Casts to integers and truth values: no gradient goes through them, wherever the result goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

BACK = """
import torch
def grads(f):
    x = torch.tensor([0.5, 2.25, -1.75], requires_grad=True)
    f(x).sum().backward()
    show(x.grad)
grads(lambda x: x.bool().float() * x)
grads(lambda x: (x - x.long()) * 2)
grads(lambda x: x.bool().to(x) * x)
grads(lambda x: torch.where(x > 1, x.int(), x))
grads(lambda x: torch.stack([x, x.to(torch.int32) * 0.5]))
grads(lambda x: x * (x * 3).long().sum())
def fraction(x):
    whole = x.type(torch.int64)
    low = whole.view(-1) + 1
    return (low - x).pow(2)
grads(fraction)
def quantized(x):
    return (x * 4).to(torch.int8)
grads(lambda x: quantized(x) / 4 * x)
class Experts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Parameter(torch.linspace(-1, 1, 8).view(4, 2))
    def forward(self, x):
        combine = torch.relu(x @ self.gate)
        dispatch = combine.bool().to(combine)
        return torch.einsum("nd,ne->ed", x, dispatch) * combine.sum()
net = Experts()
net(torch.linspace(-1, 1, 12).view(3, 4)).sum().backward()
show(net.gate.grad)
"""
PLAIN = """
import torch
import torch.nn.functional as F
def picked(x, mask, labels):
    rows = (x * 3).long()
    chosen = x[rows.clamp(0, 2)]
    kept = x.masked_fill(~mask.bool(), 0.0)
    near = x.floor().long().float()
    return chosen + kept + near, F.one_hot(labels.long(), 3), x.int().tolist(), (x.bool() & mask.bool()).any()
show(picked(torch.tensor([0.5, 0.25, 0.75]), torch.tensor([1.0, 0.0, 1.0]), torch.tensor([1.0, 2.0])))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_no_gradient_goes_through(agrees: Callable[..., Any], target: str) -> None:
    agrees(BACK, target)


def test_indices_and_masks_stay_plain(agrees: Callable[..., Any]) -> None:
    assert ".detach()" not in agrees(PLAIN, "paddle").converted["program.py"]
