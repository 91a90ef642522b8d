"""Products of grouped matrices (experts): each group's rows by its own matrix, groups without rows too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
import torch
import torch.nn.functional as F


def ramp(*shape):
    return (torch.arange(1.0 * torch.zeros(shape).numel()) / 10).reshape(shape)


def ends(*places):
    return torch.tensor(places, dtype=torch.int32)


for places in ((2, 6), (0, 6), (6, 6)):
    a, w = ramp(6, 4).requires_grad_(), ramp(2, 4, 8).requires_grad_()
    y = F.grouped_mm(a, w, offs=ends(*places))
    y.pow(2).sum().backward()
    show(y.detach(), a.grad, w.grad)
y = F.grouped_mm(ramp(6, 4), ramp(2, 4, 8), offs=ends(1, 3))
show(y.shape, y[:3])  # the rest is memory that torch has not written
show(F.grouped_mm(ramp(4, 8), ramp(8, 8), offs=ends(0, 4)))
show(F.grouped_mm(ramp(2, 4, 4), ramp(4, 8), offs=ends(4, 8)))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_grouped_products(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)


def test_with_gradients_that_are_values(agrees: Callable[..., object]) -> None:
    stepped = PROGRAM.replace(
        """    y = F.grouped_mm(a, w, offs=ends(*places))
    y.pow(2).sum().backward()
    show(y.detach(), a.grad, w.grad)
""",
        """    y = F.grouped_mm(a, w, offs=ends(*places))
    show(y.detach(), *torch.autograd.grad(y.pow(2).sum(), (a, w)))
""",
    )
    agrees(stepped, "jax")
