"""A norm whose weight or bias is taken away after it was made: the other one still counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import torch
    import torch.nn as nn


    class Net(nn.Module):
        def __init__(self, bias):
            super().__init__()
            self.a, self.b = nn.LayerNorm(4), nn.LayerNorm((3, 4))
            self.c, self.d = nn.BatchNorm1d(3), nn.BatchNorm1d(3)
            self.e = nn.LayerNorm(4)
            self.a.bias = None
            self.b.weight = None
            self.c.bias = None
            self.d.weight = None
            self.e.bias = None if not bias else self.e.bias

        def forward(self, x):
            return self.a(x), self.b(x), self.c(x), self.d(x), self.e(x)


    x = torch.arange(24.0).reshape(2, 3, 4).cos()
    for bias in (True, False):
        net = Net(bias)
        for index, p in enumerate(net.parameters()):
            nn.init.constant_(p, 0.5 + index)
        net.eval()
        show(*net(x), isinstance(net.a, nn.LayerNorm))
        net.train()
        show(*net(x), len(list(net.parameters())))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_agrees(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
