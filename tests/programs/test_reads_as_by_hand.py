"""What reads as one would have written it, and means the same: parameters of models of unknown classes, operands in a
tuple, powers with a fraction of whole numbers, stores by lists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAM = """
import types
import torch
from torch import nn


def soften(net, target_net, tau):
    for param, target_param in zip(net.parameters(), target_net.parameters()):
        target_param.data.copy_(tau * param.data + (1 - tau) * target_param.data)


class Average:
    def __init__(self, mu):
        self.mu, self.shadow = mu, {}

    def register(self, module):
        for name, param in module.named_parameters():
            if param.requires_grad:
                self.shadow[name] = param.data.clone()

    def update(self, module):
        for name, param in module.named_parameters():
            if param.requires_grad:
                self.shadow[name] = (1.0 - self.mu) * param.data + self.mu * self.shadow[name]


def count(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def length(model):
    return sum(p.grad.data.norm(2).item() ** 2 for p in model.parameters()) ** 0.5


def roots(x):
    return x.pow(0.5), x.pow(-0.5), x.pow(2)


def make(which):
    torch.manual_seed(which)
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
    with torch.no_grad():
        for number, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1.0, 1.0, p.numel()).reshape(p.shape) * (which + number + 1))
    return net


made = {"one": make, "other": make}
one, other = made["one"](1), made["other"](2)
average = Average(0.25)
average.register(one)
soften(one, other, 0.25)
average.update(other)
show(count(other), [p.detach() for p in other.parameters()], list(average.shadow.values()))
x = torch.linspace(-1.0, 1.0, 15).reshape(5, 3)
(other(x) ** 2).sum().backward()
show(round(length(other), 2))
held = types.SimpleNamespace(counts=torch.tensor([4, 9, 16]), sizes=torch.tensor([4.0, 9.0]))
for key in {held.counts: 1, held.sizes: 2}:
    show(roots(key))
a, b = torch.arange(6.0).reshape(2, 3), torch.arange(12.0).reshape(3, 4)
show(torch.einsum("ij,jk->ik", (a, b)), torch.einsum("ij,jk->ik", [a, b]), torch.einsum("ij,kj->ik", (a, b.t())))
table = {"x": 1, "y": 2}


def mark(rows, keys):
    rows[range(len(keys)), [table[key] for key in keys]] = 1
    return rows


show(mark(a, "xy"))


def kinds(x: torch.LongTensor, y: "torch.FloatTensor" = None):
    return isinstance(x, torch.LongTensor)


show(kinds(torch.tensor([1])), kinds(torch.tensor([1.5])))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_means_the_same(agrees: Callable[..., Any], target: str) -> None:
    text = agrees(PROGRAM, target).converted["program.py"]
    assert "method(" not in text.replace("'pow'", '"pow"').replace('method(x, "pow"', "")
    if target == "paddle":
        assert text.count('einsum("ij,jk->ik", a, b)') == 2
        assert "x: paddle.Tensor" in text
        assert 'y: "paddle.Tensor"' in text
        assert "(rows, (range(len(keys)), [table[key] for key in keys]), 1)" in text


def test_whose_parameters_are_of_an_own_class(agrees: Callable[..., Any]) -> None:
    program = """
        import torch
        class Point:
            def __init__(self): self.held = {"x": [3, 1], "y": [2]}
            def parameters(self): return list(self.held.values())
        def turned(thing):
            for part in thing.parameters(): part.sort()
            return [part.copy() for part in thing.parameters()]
        for thing in {Point(): 1}: show(turned(thing))
        show(torch.ones(2))
    """
    for target in ("paddle", "oneflow"):
        agrees(program, target)
