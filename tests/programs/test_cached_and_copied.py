"""Results that a cache keeps change for whoever asks next; ``copy.copy(x)`` lies in x's memory in torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

CACHED = """
    import functools
    from functools import cached_property, lru_cache
    import torch

    @lru_cache(None)
    def table(n):
        return torch.arange(n)

    class Model:
        @cached_property
        def scale(self):
            return torch.ones(2)

        @functools.cache
        def mask(self, n):
            return torch.ones(n)

    def go(model):
        mask, scale = model.mask(2), model.scale
        mask *= 3
        scale -= 3

    t = table(3)
    t += 1
    model = Model()
    go(model)
    scale = model.scale
    scale += 1
    show(table(3), model.scale, model.mask(2))
"""
COPIED = """
    import copy
    import torch
    from torch import nn
    class Keeps:
        def __init__(self, x):
            self.x = x
            self.y = copy.copy(x)
    def change(x):
        y = copy.copy(x)
        y.add_(1)
        return x, y
    k = Keeps(torch.ones(2))
    k.y.add_(1)
    show(k.x, k.y)
    show(change(*[torch.ones(2)]), change(torch.ones(2, 2)[1]))
    x = torch.arange(6.0).reshape(3, 2)
    for v in (x.clone(), x[1:], x.t()):
        c = copy.copy(v)
        c.mul_(2)
        show(v, c, c is v, x)
    w = nn.Parameter(torch.ones(2))
    held = copy.copy(w)
    with torch.no_grad():
        held.mul_(3)
    show(w, isinstance(held, nn.Parameter), held.requires_grad)
    y = torch.ones(2, requires_grad=True)
    z = copy.copy(y * 2)
    z.sum().backward()
    show(z.is_leaf, z.grad, y.grad)
    class Config:
        def __init__(self):
            self.sizes = [1, 2]
    def other(config, items):
        mine, more = copy.copy(config), copy.copy(items)
        more.append(3)
        mine.sizes = 3
        return config.sizes, items, more
    show(other(Config(), [1]))
    c = Config()
    c.sizes = copy.copy(x)
    c.sizes.add_(1)
    show(x, [change(*a) for a in [(torch.zeros(1),)]])
    from copy import copy as shallow
    x = torch.arange(3.0)
    y = shallow(x)
    y[0] = 7
    y.unsqueeze_(0)
    y.add_(1)
    show(x, y, x.shape, y.shape)
    z = copy.copy(x)
    z.data = torch.zeros(2)
    show(x, z)
"""
APART = """
    import copy
    import torch

    x = torch.arange(3.0)
    y = copy.copy(x) + 1
    held = copy.copy([x, y])
    held[0] = x + 1
    held[1].add_(1)
    show(x, y, held, copy.copy(x))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_copied(agrees: Callable[..., Any], target: str) -> None:
    agrees(COPIED, target)
    assert "migrate:" not in agrees(APART, target).converted["program.py"]


def test_cached(agrees: Callable[..., Any]) -> None:
    agrees(CACHED, "paddle")
