"""Positions that are counted from a start to what is not known are integers: beside floats they are cast."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ENCODING = """
    import math
    import torch
    from torch import nn
    class Encoding(nn.Module):
        def __init__(self, d_model, max_len=5000):
            super().__init__()
            pe = torch.zeros(max_len, d_model)
            position = torch.arange(0, max_len).unsqueeze(1)
            div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
            pe[:, 0::2] = torch.sin(position * div_term)
            pe[:, 1::2] = torch.cos(position * div_term)
            self.register_buffer("pe", pe.unsqueeze(0))
        def forward(self, x):
            return x + self.pe[:, : x.size(1)]
    show(Encoding(4)(torch.zeros(2, 3, 4)))
    def angles(offset, n, width, step):
        at = torch.arange(offset, offset + n)
        return torch.sin(at[:, None] * torch.exp(torch.arange(0, width, 2) / width)), torch.arange(0, width, step) / 2
    show(angles(1, 3, 4, 1), angles(0, 2, 2, 0.5))
    def near(r):
        return torch.arange(-r, r + 1) * torch.linspace(0, 1, 2 * r + 1)
    show(near(2))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_positions(target: str, agrees: Callable[..., object]) -> None:
    agrees(ENCODING, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_an_end_that_is_a_fraction(target: str, agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        def times(start, end):
            at = torch.arange(start, end)
            return at, at * torch.tensor([0.5, 0.25, 2.0]), at / 2, at * 3, at + 1
        show(times(0, 3), times(0.5, 3.0))
        """,
        target,
    )
