"""Pools whose windows reach over the border, and of zeros alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

WINDOWS = """
    import torch
    import torch.nn.functional as F
    from torch import nn
    x = torch.linspace(-2.0, 3.0, 2 * 4 * 7 * 6).reshape(2, 4, 7, 6).sin().relu().requires_grad_()
    s = torch.linspace(0.0, 3.0, 72).reshape(2, 4, 9).requires_grad_()
    for y in (
        nn.MaxPool2d(3, stride=2, ceil_mode=True)(x),
        F.avg_pool2d(x, 3, stride=2, ceil_mode=True),
        nn.AvgPool2d(2, stride=3, ceil_mode=True)(x),
        nn.MaxPool2d(1, stride=2, ceil_mode=True)(x),
        nn.MaxPool2d((2, 1), stride=(3, 2), ceil_mode=True)(x),
        F.max_pool2d(x, 1, stride=2, ceil_mode=True),
        F.avg_pool2d(x, 2, stride=3, ceil_mode=True),
        F.max_pool1d(s, 2, stride=4, ceil_mode=True),
        nn.AvgPool1d(1, stride=2, ceil_mode=True)(s),
        F.lp_pool2d(x, 2, 2), F.lp_pool2d(x, 2, 2, stride=3, ceil_mode=True), nn.LPPool2d(2, 2)(x),
        nn.LPPool1d(2, 3, ceil_mode=True)(s), F.lp_pool1d(s, 2, 3), nn.LPPool3d(2, 2, ceil_mode=True)(x),
        F.lp_pool2d(x, 1.5, (2, 3), ceil_mode=True),
    ):
        (g,) = torch.autograd.grad(y.exp().sum(), x if y.dim() > 3 else s)
        show(y.detach(), g)
"""


def test_windows(agrees: Callable[..., object]) -> None:
    found = agrees(WINDOWS, "paddle")
    assert "nn.MaxPool2D(3, stride=2, ceil_mode=True)(x)" in found.converted["program.py"]  # type: ignore[attr-defined]


NEGATIVE = """
import torch
import torch.nn as nn
import torch.nn.functional as F
x = torch.tensor([[[-1.0, 2.0, -3.0, 4.0, 5.0, -6.0]]])
y = x.view(1, 1, 2, 3).repeat(1, 1, 2, 2)
show(F.lp_pool1d(x, 3.0, 2), F.lp_pool1d(x, 1.0, 2), F.lp_pool2d(y, 3.0, 2), nn.LPPool1d(3, 2)(x), nn.LPPool2d(1, 2)(y))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_roots_of_negative_powers_are_none(agrees: Callable[..., object], target: str) -> None:
    agrees(NEGATIVE, target)


def test_a_divisor_in_ceil_mode_is_marked(announced: Callable[..., object]) -> None:
    announced(
        "import torch\nshow(torch.nn.AvgPool2d(2, ceil_mode=True, divisor_override=3)(torch.ones(1, 1, 3, 3)))",
        "paddle",
    )
