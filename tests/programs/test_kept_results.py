"""Results that a target's gradients need as they were, and torch's do not, change in place."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
x = torch.tensor([[1.0, 2.0, 4.0, 3.0], [5.0, 7.0, 6.0, 8.0]], requires_grad=True)
image = torch.arange(32.0).view(1, 2, 4, 4).cos().requires_grad_()
mask = torch.tensor([[True, False, False, True], [False, True, False, False]])
def told(y, of=x):
    of.grad = None
    (y * torch.arange(1.0, 1 + y.numel()).view(y.shape)).sum().backward()
    show(y, of.grad)
"""
PROGRAMS = {
    "divisions": """
        def scaled(x):
            y = x / x.sum(1, keepdim=True)
            y *= 2
            y += 1
            return y
        def masked(x):
            y = torch.div(x, x + 1)
            y[mask] = 0
            y[:, 1] *= 2
            return y.masked_fill_(~mask, 0.5)
        def by_parts(x):
            y = 3 / x
            held = [y]
            y.mul_(2)
            y.t()[0].add_(1) if False else y.add_(1)
            return held[0]
        for function in (scaled, masked, by_parts):
            told(function(x))
        told((x / x.norm(dim=1, keepdim=True)).mul_(2))
        told(F.relu(x / (x - 2.5), inplace=True))
    """,
    "in attributes and dicts": """
        class Held:
            def __init__(self, x):
                self.w = x / x.sum()
            def change(self):
                self.w[0] = 0
                return self.w
        parts = {"h": x / x.norm(dim=1, keepdim=True)}
        parts["h"].add_(1)
        told(Held(x).change())
        told(parts["h"])
    """,
    "functions": """
        def changed(y):
            y.mul_(2)
            y[0] = 1.0
            return y
        told(changed(F.normalize(x, dim=1)))
        told(changed(F.elu(x - 4)))
        told(changed(F.hardsigmoid(x - 4)))
        told(changed(F.relu6(x)))
        told(changed(F.cosine_similarity(x, x + 1)))
        top = x.max(1, keepdim=True)[0]
        top.add_(1)
        told(top)
        best, where = torch.max(x, dim=1)
        best[0] = 3.0
        told(best)
        low = x.min(0).values
        low *= 2
        told(low)
    """,
    "what was given": """
        def weights(x):
            h = x * 0.5
            e = h.exp()
            h += 1
            root = torch.sqrt(h)
            h[0] = 2.0
            inverse = 1 / h
            h.mul_(2)
            return e * root.reciprocal() * inverse + h
        told(weights(x))
        def in_a_loop(x):
            h, total = x * 0.1, 0
            for _ in range(2):
                total = total + torch.expm1(h)
                h.add_(0.5)
            return total
        told(in_a_loop(x))
        def in_two_loops(x):
            h, total = x * 0.1, 0
            for _ in range(2):
                h.add_(0.5)
                for _ in range(2):
                    total = total + torch.expm1(h)
            return total
        told(in_two_loops(x))
        h = x * 1
        top, where = h.max(1)
        h.sub_(1)
        told(top + h.sum(1))
    """,
    "remainders": """
        by = torch.tensor([2.0, 3.0, 1.5, 2.0])
        told(torch.fmod(x, by) + x.remainder(by) + x % 2.5 + torch.remainder(x - 4, 3) + torch.fmod(x, 3))
    """,
    "pools and norms": """
        pooled = F.max_pool2d(image, 2)
        pooled.add_(1)
        told(pooled, image)
        mean = nn.AvgPool2d(2)(image)
        mean[0] = 2.0
        told(mean * image.mean(), image)
        norm = nn.GroupNorm(1, 2)
        y = norm(image)
        F.relu_(y)
        told(y, image)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm, self.act = nn.GroupNorm(1, 2), nn.ReLU(inplace=True)
            def forward(self, x):
                y = self.norm(x)
                held = y
                self.act(y)
                return held
        told(Net()(image), image)
    """,
}
IN_PLACE = """
def divided(x):
    y = x * 2
    y /= y.sum(1, keepdim=True)
    y += 1
    y[0, 0] = 3.0
    return y
told(divided(x))
parts = {"h": x * 2}
parts["h"] /= parts["h"].sum()
parts["h"] += 1
told(parts["h"])
"""
AS_THEY_ARE = """
y = x / x.sum()
z = y * 2
z += 1
told(z)
with torch.no_grad():
    w = x / x.sum()
    w *= 2
show(w)
n = x / 3
n += 1
told(n)
h = x * 2
h -= 3
told(h.exp())
"""
BLOCKS = """
class Block(nn.Sequential):
    def __init__(self, i, o):
        super().__init__(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(1, o), nn.ReLU(True))
net = Block(2, 1)
for p in net.parameters():
    nn.init.constant_(p, 0.3)
told(net(image), image)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_gradients_are_torchs(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(HEAD + dedent(program), target)


def test_divisions_in_place(agrees: Callable[..., object]) -> None:
    agrees(HEAD + IN_PLACE, "oneflow")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_does_not_change_is_no_clone(agrees: Callable[..., object], target: str) -> None:
    assert ".clone()" not in agrees(HEAD + AS_THEY_ARE, target).converted["program.py"]  # type: ignore[attr-defined]


def test_layers_of_a_class_that_is_a_sequential_are_given_what_is_new(agrees: Callable[..., object]) -> None:
    assert "InPlace" not in agrees(HEAD + BLOCKS, "paddle").converted["program.py"]  # type: ignore[attr-defined]


def test_a_pair_whose_values_change_is_marked(announced: Callable[..., object]) -> None:
    announced(HEAD + "r = x.min(0)\nr.values.mul_(2)\ntold(r.values)\n", "oneflow")
