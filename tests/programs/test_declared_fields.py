"""Fields of dataclasses whose declaration promises nothing hold what the calls give them, those of bases too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

POWER = """
from dataclasses import dataclass
from typing import Any
import torch
@dataclass
class Batch:
    count: Any
    data: object
batch = Batch(0, torch.arange(6))
best, at = batch.data.sort()
kept = best
kept **= 2
show(best, at)
"""

COLUMN = """
from dataclasses import dataclass
import torch
h = torch.zeros(3, 2)
@dataclass
class State:
    data: object
    weight: object
state = State(h, h)
column = state.weight[:, 1]
column[[1]] = 1.2
show(column)
show(h)
"""

DERIVED = """
from dataclasses import dataclass
import torch
@dataclass
class Base:
    left: object
    right: object
    def product(self):
        return self.left * self.right
@dataclass
class Derived(Base):
    scale: object
    def scaled(self):
        return self.product() / self.scale
show(Derived(torch.arange(3), torch.ones(3), torch.tensor([1, 2, 4])).scaled())
show(Base(torch.arange(3), torch.ones(3, dtype=torch.float64)).product())
"""

STARRED = """
from dataclasses import dataclass
import torch
@dataclass
class Pair:
    left: object
    right: object
def half(pair):
    return pair.left / 2, pair.right.max()
show(half(Pair(torch.ones(2), torch.ones(2))))
parts = [torch.arange(3), torch.arange(4.0)]
show(half(Pair(*parts)))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("text", [POWER, COLUMN, DERIVED, STARRED])
def test_agrees(agrees: Callable[..., object], target: str, text: str) -> None:
    agrees(text, target)
