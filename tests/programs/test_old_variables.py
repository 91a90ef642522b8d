"""Variables, as code from before PyTorch 0.4 has them: leaves of their own, and tensors to those who ask."""

from __future__ import annotations

from collections.abc import Callable

import pytest

LEAVES = """
    import torch
    import torch.nn as nn
    from torch.autograd import Variable

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(2, 2, bias=False), nn.Linear(2, 1, bias=False)

        def phase(self, x: Variable):
            return torch.cos(Variable(x))

        def forward(self, x):
            assert isinstance(x, Variable)
            h = self.a(x)
            return self.b(h) * self.phase(h).sum()

    net = Net()
    with torch.no_grad():
        net.a.weight.copy_(torch.tensor([[0.5, -1.0], [2.0, 0.25]]))
        net.b.weight.copy_(torch.tensor([[1.0, 3.0]]))

    def train(net: nn.Module, x):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
        optimizer.zero_grad()
        loss = net(Variable(x)).sum()
        loss.backward()
        optimizer.step()
        return loss.item()

    show(train(net, torch.tensor([[0.5, 2.0]])), net.a.weight, net.b.weight)
"""

QUESTIONS = """
    import torch
    from torch.autograd import Variable

    x = torch.ones(2)
    y = Variable(torch.arange(3)).float().mul(2).add(1)
    show(isinstance(x, Variable), isinstance(y, (int, Variable)), isinstance(3, Variable), type(y) is Variable, y)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
@pytest.mark.parametrize("program", [LEAVES, QUESTIONS], ids=["leaves", "questions"])
def test_they_are_what_they_are_in_torch(program: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(program, target)
