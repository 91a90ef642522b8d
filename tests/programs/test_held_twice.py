"""Modules and parameters that a module holds under two names: listed once, or each time, as torch lists them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(2, 3)
        self.same = self.one
        self.norms = nn.ModuleList([nn.BatchNorm1d(3)])
        self.again = self.norms[0]
        self.own = nn.Parameter(torch.ones(1))
        self.lacks = None

    def names(self):
        return [name for name, _ in self.named_parameters(remove_duplicate=False)]


m = Tied()
for once in (True, False):
    show([name for name, _ in m.named_parameters(remove_duplicate=once)])
    show([name for name, _ in m.named_buffers("p", remove_duplicate=once)])
    show([name for name, _ in m.named_modules(prefix="a", remove_duplicate=once)])
    show([name for name, _ in m.named_parameters("b", False, remove_duplicate=once)])
show(m.names(), [name for name, _ in m.named_modules()], next(m.named_parameters())[0])
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_held_twice(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
