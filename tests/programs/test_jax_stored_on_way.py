"""Losses of what modules store in themselves while they are called: the call is differentiated with the loss."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.mu = nn.Parameter(torch.full((3,), 0.5))
        self.losses = []
    def forward(self, x):
        self.kl = (self.mu ** 2).sum()
        self.loss = self.lin(x).pow(2).mean()
        self.losses = [self.kl * 2]
        self.losses.append(self.loss)
        return x * 2 + self.mu
def filled(net: nn.Module):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()) * (i + 1.0)).view_as(p))
    return net
x = torch.ones(2, 3)
"""
PROGRAMS = {
    "of all modules": """
net = filled(nn.Sequential(Layer(), nn.Tanh(), Layer()))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    out = net(x)
    kl = sum(m.kl for m in net.modules() if isinstance(m, Layer))
    loss = out.pow(2).mean() + 0.1 * kl
    loss.backward()
    opt.step()
    show(loss.item(), kl, net[0].kl)
""",
    "of parts that have names": """
a, b = Layer(), Layer()
net = filled(nn.Sequential(a, b))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    net(x)
    loss = a.loss + 2 * b.loss
    loss.backward()
    opt.step()
    show(loss.item(), a.loss)
""",
    "of parts in a list": """
def build():
    losses = []
    net = nn.Sequential()
    for i in range(2):
        layer = Layer()
        net.add_module(f"l{i}", layer)
        losses.append(layer)
    return net, losses
net, losses = build()
filled(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    net(x)
    score = 0
    for l in losses:
        score += l.loss
    score *= 3
    score.backward()
    opt.step()
    show(score.item())
""",
    "of a list of the module's": """
def train(net: Layer):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        net(x)
        loss = sum(net.losses)
        opt.zero_grad()
        loss.backward()
        opt.step()
        show(loss.item())
train(filled(Layer()))
""",
    "of an image, with LBFGS": """
class Style(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()
    def forward(self, x):
        self.loss = F.mse_loss(x @ x.t(), self.target)
        return x
first, last = filled(nn.Linear(3, 4)), filled(nn.Linear(4, 2))
for p in [*first.parameters(), *last.parameters()]:
    p.requires_grad_(False)
style = Style(torch.eye(2))
model = nn.Sequential(first, style, nn.ReLU(), last)
image = torch.full((2, 3), 0.3)
image.requires_grad_(True)
model.eval()
opt = torch.optim.LBFGS([image], max_iter=3)
run = [0]
while run[0] < 6:
    def closure():
        with torch.no_grad():
            image.clamp_(-1, 1)
        opt.zero_grad()
        model(image)
        loss = style.loss * 10 + 0.1 * image.abs().mean()
        loss.backward()
        run[0] += 1
        return loss
    opt.step(closure)
show(image, run[0], style.loss.item())
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, agrees: Callable[..., Outcome]) -> None:
    agrees(HEAD + PROGRAMS[name], "jax")
