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

    x = torch.arange(3.0)
    y = copy.copy(x)
    y[0] = 7
    show(x, y)
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
def test_copied(announced: Callable[..., Any], agrees: Callable[..., Any], target: str) -> None:
    announced(COPIED, target)
    assert "migrate:" not in agrees(APART, target).converted["program.py"]


def test_cached(agrees: Callable[..., Any]) -> None:
    agrees(CACHED, "paddle")
