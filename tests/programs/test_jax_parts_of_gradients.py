"""Parts of gradients that change: ``param.grad[:] *= theta / norm``, ``net.weight.grad[0] = 0``."""

from __future__ import annotations

from collections.abc import Callable

NETS = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(3, 2), nn.Linear(2, 1)

        def forward(self, x):
            return self.b(torch.tanh(self.a(x)))

    net = Net()
    with torch.no_grad():
        for number, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1 + number, p.numel()).view(p.shape))
    x = torch.linspace(-1, 2, 12).view(4, 3)
"""

CLIPPED = """
    def clip(net: nn.Module, theta):
        params = [p for p in net.parameters() if p.requires_grad]
        norm = torch.sqrt(sum(torch.sum(p.grad ** 2) for p in params))
        if norm > theta:
            for param in params:
                param.grad[:] *= theta / norm

    def train(net: Net, x):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            loss = net(x).pow(2).mean()
            loss.backward()
            clip(net, 0.5)
            optimizer.step()
        return loss.item()

    show(train(net, x), net.a.weight, net.b.bias)
"""

MASKED = """
    def train(net: Net, x):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        optimizer.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        net.a.weight.grad[0] = 0
        net.a.weight.grad[:, 1:] -= 1.0 + loss.item()
        net.b.weight.grad.data[:, 0] *= 2
        optimizer.step()
        return loss.item()

    show(train(net, x), net.a.weight, net.b.weight)
"""


def test_they_are_clipped_in_a_function(agrees: Callable[..., object]) -> None:
    agrees(NETS + CLIPPED, "jax")


def test_they_are_masked_in_a_step(agrees: Callable[..., object]) -> None:
    agrees(NETS + MASKED, "jax")
