"""Changes by way of ``x.data``, of which torch tells no graph: gradients are of what lies there afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch
class Put(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scratch, value, index):
        ctx.index = index
        scratch.data[index] = value
        return scratch
    @staticmethod
    def backward(ctx, g):
        return g, g[ctx.index], None
w = torch.tensor([1.0, 2.0], requires_grad=True)
k = torch.empty(2, 3)
k = Put.apply(k, w * 2, (..., 0))
for i in range(2):
    f = (k[..., : i + 1] * torch.arange(1.0, i + 2.0)).sum(-1).tanh() * w
    k = Put.apply(k, f, (..., i + 1))
k.square().sum().backward()
show(k.detach(), w.grad)
class Noisy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = torch.nn.Parameter(torch.tensor([0.5, -0.5]))
        self.rho = torch.nn.Parameter(torch.tensor([0.1, 0.2]))
        self.register_buffer("eps", torch.zeros(2))
        self.eps.data.fill_(1.0)
    def sample(self, value):
        self.eps.data.uniform_(value, value + 1e-6)
        return self.mu + torch.log1p(torch.exp(self.rho)) * self.eps
    def forward(self, x):
        return (x * self.sample(1.0)).sum() + (x * self.sample(3.0)).sum()
n = Noisy()
y = n(torch.tensor([1.0, 2.0]))
y.backward()
show(y.detach(), n.mu.grad, n.rho.grad, n.eps.round())
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_no_graph_is_told(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(PROGRAM, target)
