"""Gradients of functions of which one operand wants none: kernels of the targets end the process there, or raise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

WARPED = """
import torch
import torch.nn.functional as F
class Transformer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.where = torch.nn.Linear(16, 6)
        torch.nn.init.zeros_(self.where.weight)
        self.where.bias.data.copy_(torch.tensor([1, 0, 0, 0, 1, 0], dtype=torch.float))
    def forward(self, x):
        theta = self.where(x.flatten(1)).view(-1, 2, 3)
        return F.grid_sample(x, F.affine_grid(theta, x.size(), align_corners=False), align_corners=False)
net = Transformer()
x = torch.sin(torch.arange(32.0)).view(2, 1, 4, 4)
y = net(x)
(y * x.flip(-1)).sum().backward()
show(y, net.where.bias.grad)
with torch.no_grad():
    show(net(x).requires_grad, F.grid_sample(x, torch.zeros(2, 1, 1, 2), mode="nearest", align_corners=True))
"""
OF_ONE = """
import torch
import torch.nn.functional as F
fixed = torch.tensor([[0.0, 1.0, -1.0]])
free = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
scale = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
for f in (
    lambda: torch.cross(free, fixed, dim=1), lambda: torch.linalg.cross(fixed, free), lambda: fixed.cross(free, dim=-1),
    lambda: F.prelu(fixed, scale) + free,
    lambda: F.instance_norm(torch.arange(6.0).view(1, 3, 2), weight=scale, bias=scale),
):
    y = f()
    (y * torch.cos(torch.arange(float(y.numel())).view(y.shape))).sum().backward()
    show(y, free.grad, scale.grad)
show(torch.cross(fixed, fixed, dim=1).requires_grad)
"""
TRANSPOSED = """
import torch
import torch.nn.functional as F
from torch import nn
x = torch.arange(20.0).view(1, 1, 4, 5).requires_grad_()
F.conv_transpose2d(x, torch.ones(1, 2, 2, 2), stride=2).sum().backward()
F.conv_transpose1d(x.view(1, 1, 20), torch.ones(1, 2, 2), bias=torch.ones(2)).sum().backward()
show(x.grad)
decoder = nn.Sequential(nn.ConvTranspose2d(1, 2, 2, stride=2), nn.ReLU(), nn.ConvTranspose2d(2, 1, 3, bias=False))
for p in decoder.parameters():
    p.data.copy_(torch.sin(torch.arange(p.numel()).float()).view_as(p))
decoder(x).mean().backward()
show(x.grad, decoder[0].weight.grad)
for p in decoder.parameters():
    p.requires_grad = False
x.grad = None
decoder(x).mean().backward()
show(x.grad, type(decoder[0]).__name__, decoder[0].weight.requires_grad, sorted(decoder.state_dict()))
"""

RECURRENT = """
import torch
from torch import nn
def filled(m):
    for i, p in enumerate(m.parameters()):
        p.data.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p) * 0.5 + 0.1)
    return m
for m in (nn.LSTM(4, 3, batch_first=True), nn.GRU(4, 3, num_layers=2, bidirectional=True), nn.RNN(4, 3, bias=False)):
    for wanted in (lambda n: False, lambda n: "bias" in n, lambda n: n == "weight_ih_l0", lambda n: True):
        filled(m)
        for n, p in m.named_parameters():
            p.requires_grad_(wanted(n))
            p.grad = None
        for free in (False, True):
            x = torch.sin(torch.arange(24.0)).reshape(2, 3, 4).requires_grad_(free)
            y, _ = m(x)
            show(y, y.requires_grad)
            if y.requires_grad:
                (y * torch.cos(torch.arange(float(y.numel())).reshape(y.shape))).sum().backward()
                show(x.grad, [p.grad for p in m.parameters()])
show(sorted(m.state_dict()), type(m).__name__)
"""
PROGRAMS = {"a grid": WARPED, "one of two": OF_ONE, "a frozen weight": TRANSPOSED, "recurrent layers": RECURRENT}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_gradients_of_one_operand(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)
