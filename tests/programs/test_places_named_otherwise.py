"""Who shares memory by way of ``vars(x)``, of what ``.to()`` hands on, of lists behind a range, of expanded parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

UNDER_A_NAME = {
    "a tensor": """
        import torch
        h = torch.tensor([0.937, 1.103, 0.683])
        head = h
        class Box:
            pass
        box = Box()
        vars(box)["x"] = head
        left, second = box.x.split(2)
        torch.exp(head, out=head)
        show(left)
    """,
    "a list of tensors": """
        import torch
        z = torch.zeros((3, 2))
        frames = [z, z]
        first, right = frames[1].chunk(2)
        class Box:
            pass
        box = Box()
        box.__dict__["x"] = frames
        box.x[0].add_(1)
        show(first)
    """,
    "read there": """
        import torch
        class Box:
            pass
        box = Box()
        box.x = torch.zeros(4)
        first, right = box.x.chunk(2)
        vars(box)["x"].add_(1)
        show(first)
    """,
    "given to an object, and kept by a method": """
        import torch
        pos = torch.arange(6) * 1.3
        class Tracker:
            def __init__(self, w, bias):
                self.bias = bias
            def keep(self, y):
                self.w = y.tensor_split(2)
            def double(self):
                self.bias.mul_(2.0)
        meter = Tracker(2, pos)
        meter.keep(pos)
        meter.double()
        show(meter.w)
    """,
}


@pytest.mark.parametrize("program", UNDER_A_NAME.values(), ids=UNDER_A_NAME)
def test_pieces_see_what_changes_under_a_name(program: str, agrees: Callable[..., Any]) -> None:
    agrees(program, "paddle")


PARTS = {
    "to what it is already": "part = grid[1:].to(like)",
    "to its own dtype": "part = grid[1:].float()",
    "in one piece": "part = grid[1:].contiguous()",
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_detached_parts_begin_where_they_began(part: str, agrees: Callable[..., Any]) -> None:
    made = "import torch\ngrid = torch.tensor([0.25, 0.5, 0.75])\nlike = torch.ones(2)\n"
    agrees(f"{made}{part}\nshow(part.data[0], part.detach()[1:])\npart.data[0].zero_()\nshow(part)\n", "oneflow")


SPREAD = {
    "a diagonal": "z.fill_diagonal_(1.2)",
    "by a mask": "z.masked_fill_(torch.tensor([[True], [False]]), 2.0)",
    "a row": "z.index_fill_(0, torch.tensor([0]), 2.0)",
}


@pytest.mark.parametrize("change", SPREAD.values(), ids=SPREAD)
def test_parts_of_what_is_expanded_are_named(change: str, announced: Callable[..., Any]) -> None:
    announced(f"import torch\nw = torch.tensor([0.523])\nz = w.expand(2, 1)\n{change}\nshow(w, z)\n", "paddle")


def test_strides_of_what_is_computed_are_named_though_it_changes(announced: Callable[..., Any]) -> None:
    program = """
        import torch
        row = torch.arange(4).reshape(2, 2).permute(1, 0)
        delta = torch.where(row > row, row, 0.3)
        v = delta.as_strided((2,), (1,))
        v -= 0.7
        show(delta)
    """
    announced(program, "paddle")


def test_what_a_list_picks_behind_a_range_is_named_where_it_changes(announced: Callable[..., Any]) -> None:
    program = """
        import torch
        z = torch.arange(12).view(2, 3, 2)[:, [0, 1]]
        other = z.contiguous()
        z.index_fill_(0, torch.tensor(0), 1.5)
        show(other)
    """
    announced(program, "oneflow")
