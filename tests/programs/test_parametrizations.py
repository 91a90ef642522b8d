"""Weights that are computed each time they are asked for, and the names of what they are made of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

NORMS = """
import torch
import torch.nn as nn
from torch.nn.utils.parametrizations import weight_norm, spectral_norm
from torch.nn.utils import parametrize
torch.manual_seed(0)
def fill(m):
    for i, (n, p) in enumerate(m.named_parameters()):
        p.data = (torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3 + 0.5
front = weight_norm(nn.Conv1d(2, 4, 3, padding=1))
back = weight_norm(nn.ConvTranspose1d(4, 3, 4, stride=2), dim=1)
net = nn.Sequential(front, nn.Tanh(), back, nn.Tanh(), nn.Flatten(), weight_norm(nn.Linear(36, 2)))
fill(net)
show([(n, tuple(p.shape)) for n, p in net.named_parameters()])
show([(n, tuple(p.shape)) for n, p in net.state_dict().items()])
x = (torch.arange(20.0).reshape(2, 2, 5) * 0.3).sin()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for i in range(3):
    opt.zero_grad()
    loss = net(x).square().mean()
    loss.backward(); opt.step()
    show(loss.detach())
show([p.grad for p in net.parameters()])
show(net[0].weight.detach(), net[5].weight.detach())
show(parametrize.is_parametrized(net[0]), parametrize.is_parametrized(net[1]))
sd = net.state_dict()
w = weight_norm(nn.Linear(36, 2)); w.load_state_dict({k[2:]: v for k, v in sd.items() if k.startswith("5.")})
show(w.weight.detach())
parametrize.remove_parametrizations(net[0], "weight")
show([n for n, p in net[0].named_parameters()], net(x).detach())
l = weight_norm(nn.Linear(3, 2), dim=None)
fill(l)
show(l(torch.ones(1, 3)).detach(), l.parametrizations.weight.original0.shape)
s = spectral_norm(nn.Linear(3, 4)); c = spectral_norm(nn.ConvTranspose2d(2, 3, 2), n_power_iterations=2)
show([(n, tuple(p.shape)) for n, p in s.state_dict().items()], [(n, tuple(p.shape)) for n, p in c.state_dict().items()])
for m in (s, c):
    fill(m)
    for n, b in m.named_buffers():
        b.copy_(torch.ones_like(b) / b.numel() ** 0.5)
s.train(); y = s(torch.arange(6.0).reshape(2, 3)); y.sum().backward()
show(y.detach(), s.parametrizations.weight.original.grad, [b for b in s.buffers()])
y = c(torch.arange(8.0).reshape(1, 2, 2, 2)); y.sum().backward()
show(y.detach(), c.parametrizations.weight.original.grad)
s.eval(); a = s(torch.ones(1, 3)); b = s(torch.ones(1, 3)); show(a.detach(), (a == b).all())
class Sym(nn.Module):
    def forward(self, X): return X.triu() + X.triu(1).transpose(-1, -2)
lin = nn.Linear(3, 3); fill(lin)
parametrize.register_parametrization(lin, "weight", Sym())
show(lin.weight.detach())
show(lin(torch.ones(1, 3)).detach(), [n for n, _ in lin.named_parameters()])
lin.weight.sum().backward(); show(lin.parametrizations.weight.original.grad)
show(type(parametrize.type_before_parametrizations(lin)).__name__)
with parametrize.cached():
    show(lin(torch.ones(1, 3)).detach())
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_norms_of_weights_and_own_parametrizations(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(NORMS, target)
