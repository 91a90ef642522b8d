"""What is joined of one tensor, or repeated once, is a copy in torch and a view in OneFlow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PROGRAM = """
    import torch

    def doubled(items):
        batch = torch.stack(items)
        batch.mul_(2)
        return batch

    def joined(items):
        return torch.stack(tuple(items), dim=1)

    def tiled(v, n):
        out = v.repeat(n, 1)
        out[0] += 1
        return out

    def summed(items):
        return torch.stack(items).sum()

    x = torch.ones(2)
    show(doubled([x]), x, doubled([x, x]))
    items = [torch.ones(2)]
    one = joined(items)
    one += 1
    show(one, items, summed(items))
    row = torch.ones(1, 2)
    show(tiled(row, 1), row, tiled(row, 2))
"""


def test_a_list_that_may_hold_one(agrees: Callable[..., Any]) -> None:
    found = agrees(PROGRAM, "oneflow")
    assert "return torch.stack(items).sum()" in found.converted["program.py"]
    agrees(PROGRAM, "paddle")
