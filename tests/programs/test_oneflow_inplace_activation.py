"""Activations with inplace=True whose input is read afterwards."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import math
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
"""

PROGRAMS = {
    "layers": """
        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(2, 2, 1)
                self.bn = nn.BatchNorm2d(2)
                self.act = nn.ReLU6(inplace=True)
                self.act2 = nn.Hardswish(inplace=True)
                self.act3 = nn.SiLU(True)
                self.body = nn.Sequential(nn.Conv2d(2, 2, 1), nn.SiLU(inplace=True))
                self.pre = nn.Sequential(nn.Mish(inplace=True), nn.Conv2d(2, 2, 1))
                nn.init.constant_(self.conv.weight, 0.5)
                nn.init.constant_(self.conv.bias, 0.1)

            def forward(self, x):
                y = self.act(self.bn(self.conv(x)))
                z = self.conv(x)
                z = self.act2(z)
                w = x
                x = self.act3(x)
                u = F.silu(self.conv(x), inplace=True)
                return y, z, w, x, u, F.hardswish(x, inplace=True) + x


        b = Block().eval()
        x = torch.arange(-4.0, 4.0).view(1, 2, 2, 2)
        show(b(x), x)
    """,
    "functions and values": """
        x = torch.arange(-4.0, 4.0, requires_grad=True)
        for f in (F.silu, F.hardswish, F.mish, F.relu6, F.selu):
            y = x * 2
            f(y, inplace=True)
            show(y)
        y = x * 2
        F.silu(y, inplace=True)
        F.relu6(y, True)
        y = F.mish(y, inplace=True)
        z = y
        F.hardtanh(z, -0.5, 0.5, True)
        y.sum().backward()
        show(y, x.grad)
        m = nn.Sequential(nn.ReLU6(True), nn.Hardtanh(inplace=True), nn.Threshold(0, 1, True))
        v = torch.arange(-4.0, 4.0)
        show(m(v), v)
        acts = [nn.SiLU(inplace=True), nn.SELU(True)]
        for a in acts:
            show(a(v), v)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")
