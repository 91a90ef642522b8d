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

ANY = """
    import torch
    from torch import nn
    class Own(nn.LayerNorm):
        def forward(self, x):
            return super().forward(x) + 1
    class Bare(nn.LayerNorm):
        def __init__(self, size):
            super().__init__(size)
            self.register_parameter("bias", None)
    class Mine(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_parameter("bias", None)
            self.weight = nn.Parameter(torch.ones(2))
    class Plain:
        bias = 1
    def filled(net):
        for p in net.parameters():
            nn.init.constant_(p, 2.0)
        return net
    x = torch.arange(8.0).reshape(2, 4).cos()
    one = filled(nn.LayerNorm(4))
    one.register_parameter("bias", None)
    two = filled(nn.BatchNorm1d(4))
    setattr(two, "weight", None)
    net = filled(nn.Sequential(nn.LayerNorm(4), Own(4), nn.BatchNorm1d(4), nn.Linear(4, 4), nn.GroupNorm(2, 4)))
    def strip(net):
        for m in net.modules():
            if getattr(m, "bias", None) is not None:
                m.bias = None
    def strip_by_name(modules, name):
        for m in modules:
            if getattr(m, name, None) is not None:
                setattr(m, name, None)
    plain = Plain()
    strip_by_name([plain], "bias")
    show(one(x), two(x), plain.bias, filled(Bare(4))(x), Mine().bias)
    strip(net)
    show([m(x) for m in net[:4]], len(list(net.parameters())), isinstance(net[1], Own), list(net.state_dict()))
    last = filled(nn.BatchNorm1d(4))
    strip_by_name(nn.Sequential(last).modules(), "weight")
    show(last(x), list(last.state_dict()))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_agrees(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_of_any_layer(agrees: Callable[..., object], target: str) -> None:
    agrees(ANY, target)
