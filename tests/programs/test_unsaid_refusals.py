"""What targets refuse and torch takes: converted, or said at the line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

TAKEN = """
import torch
d = {"a": torch.ones(2, requires_grad=True), "b": torch.ones(3, requires_grad=True)}
loss = (d["a"] * 2).sum() + (d["b"] ** 2).sum()
show(torch.autograd.grad(loss, d.values(), retain_graph=True))
a, b = torch.autograd.grad(loss, (v for v in d.values()))
show(a, b)
x = torch.ones(3)
x.uniform_(0, 0)
show(x, torch.zeros_like(x, memory_format=torch.legacy_contiguous_format))
show(torch.full_like(x, 2.0, memory_format=torch.preserve_format))
images = torch.arange(24.0).reshape(1, 2, 4, 3)
planes = images.permute(0, 3, 1, 2).to(memory_format=torch.contiguous_format)
planes.mul_(2)
show(images, planes.view(-1), planes.to(memory_format=torch.contiguous_format).float(), planes.to(copy=True))

def first(items):
    total = 0
    for item in items:
        total += item
    return 7 // (total > 0.1).any()
show(first([torch.ones(2)]), first([1.0, torch.ones(2)]))
"""
MOMENTUM = """
import torch
bn = torch.nn.BatchNorm1d(3)
bn.momentum = 0.3
x = torch.arange(12.).reshape(4, 3)
bn(x)
show(bn.running_mean)
bn.momentum = None
bn(x)
show(bn.running_mean)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_is_taken(agrees: Callable[..., Any], target: str) -> None:
    agrees(TAKEN, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_momentum_that_becomes_none_is_marked_with_its_reason(announced: Callable[..., Any], target: str) -> None:
    sites = announced(MOMENTUM, target).sites
    assert [site for site in sites if "no cumulative average" in site.detail]
