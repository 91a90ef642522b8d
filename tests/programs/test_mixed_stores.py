"""Gradients through stores by slices beside places, of which OneFlow tells no graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

STORES = """
    import torch

    i, j = torch.tensor([1, 0]), torch.tensor([2, 0])
    row = torch.tensor([True, False, True])
    m = torch.arange(6).reshape(2, 3) % 2 == 0

    def rows(x, value):
        x[:, row] = 3
        x[:, j] = value[:, :2] * 2

    def corner(x, value):
        x[0, row, 1:] = value[0, :2, 1:]
        x[m, 1] = 4

    def anew(x, value):
        x[..., None, :1] = 3
        x[None] = value + x

    def lists(x, value):
        x[..., [1, 0]] = x[..., [0, 1]] * value[..., :2]
        x[i, :, j] = value[0, :, :2].t()

    def one_of_several(x, value):
        x[0, j] = value[0, 1]
        x[:, [0, 2]] = 1.5

    for change in (rows, corner, anew, lists, one_of_several):
        w = (torch.arange(24.0).reshape(2, 3, 4) / 7 - 1).requires_grad_()
        v = (torch.arange(24.0).reshape(2, 3, 4) / 5).requires_grad_()
        x = w * 2
        change(x, v)
        (x * torch.arange(24.0).reshape(2, 3, 4)).sum().backward()
        show(x.detach(), w.grad, v.grad)

    gathered = torch.zeros(2, 3, 4)
    h = torch.ones(2, 2, 4, requires_grad=True)
    gathered[:, j] = h * 3
    gathered.pow(2).sum().backward()
    show(gathered.detach(), h.grad)
    with torch.no_grad():
        gathered[:, row] = 0
    show(gathered.detach())
"""


@pytest.mark.parametrize("target", ["oneflow", "paddle"])
def test_gradients_through_mixed_stores(agrees: Callable[..., object], target: str) -> None:
    agrees(STORES, target)
