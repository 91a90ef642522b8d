"""Paddle: tensors of ranges, which ``paddle.to_tensor`` does not take."""

from __future__ import annotations

from collections.abc import Callable

PROGRAM = """
    import torch

    n = 3
    x = torch.arange(12.0).view(4, 3)
    train = torch.LongTensor(range(n))
    show(torch.tensor(range(n)), torch.tensor(range(1, n), dtype=torch.float32), torch.as_tensor(range(2)))
    show(torch.FloatTensor(range(2)), x[train], x.index_select(0, torch.LongTensor(range(1, n))), x[range(2)])
"""


def test_tensors_of_ranges(agrees: Callable[..., object]) -> None:
    agrees(PROGRAM, "paddle")
