"""Objects that are made of what a list, a dict or a tensor holds, and change it: in torch whoever has that sees it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

HEAD = """
import torch
class Meter:
    def __init__(self, total):
        self.total = total
    def step(self):
        self.total[0] = 1.0
    def add(self):
        self.total.add_(1.0)
"""
PROGRAMS = {
    "an item of a list": "xs = [torch.tensor([1.113])]\nmeter = Meter(xs[0])\nmeter.step()\nshow(xs)\n",
    "an item of a dict": 'd = {"a": torch.tensor([1.113])}\nmeter = Meter(total=d["a"])\nmeter.add()\nshow(d)\n',
    "a row": "table = torch.zeros(2, 2)\nmeter = Meter(table[0])\nmeter.add()\nshow(table)\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_line_says_who_else_has_it(name: str, announced: Callable[..., object]) -> None:
    announced(HEAD + PROGRAMS[name], "jax")


def test_what_nobody_reads_afterwards_is_not_named(agrees: Callable[..., object]) -> None:
    agrees(HEAD + "meter = Meter([torch.ones(2), 3][0])\nmeter.add()\nshow(meter.total)\n", "jax")
