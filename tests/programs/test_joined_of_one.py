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


LOADER = """
    import numpy as np
    import torch
    from torch.utils.data import DataLoader, Dataset, TensorDataset

    class Rows(Dataset):
        def __init__(self, count):
            self.rows = np.arange(count * 2, dtype=np.float32).reshape(count, 2)
        def __len__(self):
            return len(self.rows)
        def __getitem__(self, place):
            return {"row": torch.from_numpy(self.rows[place]), "label": place}

    def trained(loader):
        total = 0.0
        for batch in loader:
            row = batch["row"]
            row -= 1
            total += row.sum().item()
        return total

    rows = Rows(5)
    show(trained(DataLoader(rows, batch_size=2)), rows.rows)
    held = torch.ones(3, 2)
    for (x,) in DataLoader(TensorDataset(held), batch_size=1):
        x += 1
    show(held, x)
"""
READ = """
    import torch
    from torch.utils.data import DataLoader, TensorDataset
    for (x,) in DataLoader(TensorDataset(torch.ones(3, 2)), batch_size=2):
        x = x + 1
    show(x)
"""


def test_the_last_batch_of_a_loader(agrees: Callable[..., Any]) -> None:
    agrees(LOADER, "oneflow")
    agrees(LOADER, "paddle")


def test_a_loader_whose_batches_are_read_is_oneflows(agrees: Callable[..., Any]) -> None:
    assert "helpers" not in agrees(READ, "oneflow").converted["program.py"]
