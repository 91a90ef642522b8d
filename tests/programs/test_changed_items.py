"""Items of tensors that an operator changes in place: what is stored is what torch computes, of integers too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

INTEGERS = """
    import torch
    x = torch.tensor([[7, -7, 5], [9, -9, 4]])
    y = torch.tensor([2, 2, -3])
    x[0] //= 2
    x[1] %= y
    show(x)
    x[0] **= 9
    x[0] //= y
    x[:, 1] &= 6
    x[0, 1:] |= 1
    x[1] ^= 3
    x[1] <<= 2
    show(x)
    x[x > 3] %= 3
    x[torch.tensor([0, 1])] //= 2
    show(x)
"""
FUNCTIONS = """
    import numpy as np
    import torch

    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("counts", torch.tensor([[7, -7], [3, -3]]))

        def forward(self, by):
            self.counts[0] //= by
            self.counts[:, 1] %= 4
            return self.counts

    def halved(rows, i):
        rows[:, i] //= 2
        rows[1] %= 4
        return rows

    show(Counter()(2))
    show(halved(torch.tensor([[7, -7], [9, -9]]), 1), halved(np.array([[7, -7], [9, -9]]), 0))
    held = {"x": torch.tensor([7, -7])}
    held["x"][0] //= 2
    held["x"][1] %= 4
    show(held["x"])
"""
BYTES = """
    import torch
    image = torch.tensor([[200, 100], [250, 3]], dtype=torch.uint8)
    more = torch.tensor([100, 200], dtype=torch.uint8)

    def brighter(picture, by):
        picture[0] += by
        picture[1] -= by
        return picture

    image[0] += more
    show(image, brighter(image, more))
"""
TRUTHS = """
    import torch
    b = torch.tensor([True, False, True])
    b[0] &= False
    b[1] |= True
    b[2] ^= True
    show(b)
"""
COMPUTED = """
    import torch
    x = torch.tensor([-7, 7])
    def next_one(places=iter([0, 1])):
        return next(places)
    x[next_one()] %= 4
    show(x)
"""


@pytest.mark.parametrize("program", [INTEGERS, FUNCTIONS, TRUTHS], ids=["integers", "functions", "truths"])
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_items_are_what_torch_makes_of_them(agrees: Callable[..., Any], program: str, target: str) -> None:
    agrees(program, target)


def test_bytes_wrap_in_a_part_too(agrees: Callable[..., Any]) -> None:
    """Paddle has no difference of bytes."""
    agrees(BYTES, "oneflow")


def test_a_computed_place_is_marked_where_the_operator_differs(outcome: Callable[..., Any]) -> None:
    found = outcome(COMPUTED, "oneflow")
    assert found.verdict == "warned"
    assert "differs" in {site.outcome for site in found.sites}


def test_paddles_own_operator_stays(agrees: Callable[..., Any]) -> None:
    found = agrees("import torch\nx = torch.ones(3)\nx[0] //= 2\nx[1:] %= 2\nshow(x)\n", "paddle")
    assert "x[0] //= 2\nx[1:] %= 2\n" in found.converted["program.py"]


OWN = """
    import torch
    class Grid:
        def __init__(self, height, width):
            self.cells = torch.zeros(height, width, dtype=torch.int32) - 7
        def __getitem__(self, place):
            return self.cells[place]
        def __setitem__(self, place, value):
            self.cells[place] = value
    grid = Grid(2, 3)
    grid[:, 0] //= 3
    show(grid.cells)
"""


def test_items_of_own_objects(agrees: Callable[..., Any], outcome: Callable[..., Any]) -> None:
    """What an own ``__getitem__`` does is done once: where the operator differs, the line is marked."""
    assert "differs" not in {site.outcome for site in agrees(OWN, "paddle").sites}
    assert "differs" in {site.outcome for site in outcome(OWN, "oneflow").sites}
