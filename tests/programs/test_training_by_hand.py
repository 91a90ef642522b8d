"""Training as programs write it out by hand: each loss and each weight is torch's, from the same initial weights."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 4))
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


def begun(net):
    with torch.no_grad():
        for number, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5, p.numel()).view(p.shape) * (number + 1) / 4)
    return net


def batches(count):
    for step in range(count):
        x = torch.sin(torch.arange(12.0).view(4, 3) + step)
        yield x, torch.tensor([0, 1, 1, 0])


net = begun(Net())
"""
PROGRAMS = {
    "SGD written out": """
        velocity = [torch.zeros_like(p) for p in net.parameters()]
        for x, y in batches(8):
            net.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            with torch.no_grad():
                for p, v in zip(net.parameters(), velocity):
                    v.mul_(0.9).add_(p.grad)
                    p -= 0.1 * v
            show(loss)
        show([p.detach() for p in net.parameters()])
    """,
    "SGD by data": """
        for x, y in batches(6):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            for p in net.parameters():
                p.data.add_(p.grad.data, alpha=-0.2)
                p.grad.data.zero_()
            show(loss)
        show({name: p.detach() for name, p in net.named_parameters()})
    """,
    "gradients accumulated": """
        opt = torch.optim.AdamW(net.parameters(), lr=0.05, weight_decay=0.1)
        for step, (x, y) in enumerate(batches(8)):
            loss = F.cross_entropy(net(x), y) / 4
            loss.backward()
            if (step + 1) % 4 == 0:
                show(nn.utils.clip_grad_norm_(net.parameters(), 0.5))
                opt.step()
                opt.zero_grad()
            show(loss)
        show([p.detach() for p in net.parameters()])
    """,
    "an average of the weights": """
        import copy

        opt = torch.optim.SGD(net.parameters(), lr=0.3)
        average = copy.deepcopy(net)
        for p in average.parameters():
            p.requires_grad_(False)
        by_name = {name: p.detach().clone() for name, p in net.named_parameters()}
        for x, y in batches(5):
            opt.zero_grad()
            F.cross_entropy(net(x), y).backward()
            opt.step()
            with torch.no_grad():
                for held, p in zip(average.parameters(), net.parameters()):
                    held.mul_(0.9).add_(p, alpha=0.1)
                for name, value in net.state_dict().items():
                    by_name[name] -= 0.5 * (by_name[name] - value)
        show([p for p in average.parameters()], by_name, average(x), net(x).detach())
    """,
    "weight norm written out": """
        class Normed(nn.Module):
            def __init__(self, size, out):
                super().__init__()
                self.v = nn.Parameter(torch.zeros(out, size))
                self.g = nn.Parameter(torch.zeros(out))
                self.bias = nn.Parameter(torch.zeros(out))

            def forward(self, x):
                weight = self.g[:, None] * self.v / self.v.norm(dim=1, keepdim=True)
                return F.linear(x, weight, self.bias)

        net = begun(nn.Sequential(Normed(3, 4), nn.Tanh(), Normed(4, 2)))
        opt = torch.optim.Adam(net.parameters(), lr=0.1)
        for x, y in batches(5):
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            with torch.no_grad():
                for layer in net:
                    if isinstance(layer, Normed):
                        layer.v.div_(layer.v.norm(dim=1, keepdim=True))
            show(loss)
        show([p.detach() for p in net.parameters()])
    """,
    "weights of a Linear normed": """
        opt = torch.optim.SGD(net.parameters(), lr=0.2)
        for x, y in batches(4):
            opt.zero_grad()
            F.cross_entropy(net(x), y).backward()
            opt.step()
            with torch.no_grad():
                for m in net.modules():
                    if isinstance(m, nn.Linear):
                        m.weight.copy_(m.weight / m.weight.norm(dim=1, keepdim=True).clamp(min=1.0))
        show([p.detach() for p in net.parameters()], net.head.weight.shape)
    """,
    "pruned": """
        masks = {}
        for name, p in net.named_parameters():
            if p.dim() > 1:
                threshold = p.detach().abs().flatten().kthvalue(p.numel() // 2).values
                masks[name] = (p.detach().abs() > threshold).float()
                p.data *= masks[name]
        rows = net.body[0].weight.detach().abs().sum(dim=1)
        net.body[0].weight.data[rows.argmin()] = 0
        opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
        for x, y in batches(4):
            opt.zero_grad()
            F.cross_entropy(net(x), y).backward()
            for name, p in net.named_parameters():
                if name in masks:
                    p.grad.mul_(masks[name])
            opt.step()
        show([p.detach() for p in net.parameters()], {name: int(m.sum()) for name, m in masks.items()})
    """,
    "frozen by name": """
        for name, p in net.named_parameters():
            p.requires_grad = "head" in name or name.endswith("2.bias")
        trained = [p for p in net.parameters() if p.requires_grad]
        show(len(trained), sum(p.numel() for p in trained), [n for n, p in net.named_parameters() if p.requires_grad])
        opt = torch.optim.Adam(trained, lr=0.1)
        before = {name: p.detach().clone() for name, p in net.named_parameters()}
        for step, (x, y) in enumerate(batches(6)):
            if step == 3:
                for p in net.body.parameters():
                    p.requires_grad = True
                opt = torch.optim.Adam([{"params": trained}, {"params": [net.body[0].weight], "lr": 0.01}], lr=0.1)
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            show(loss)
        show({name: bool((p.detach() == before[name]).all()) for name, p in net.named_parameters()})
        show([p.detach() for p in net.parameters()])
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), target)
