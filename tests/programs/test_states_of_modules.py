"""Tensors that modules carry from call to call are no buffers in torch: casts of the module pass them by."""

from __future__ import annotations

from collections.abc import Callable

import pytest

CARRIED = """
    import torch
    from torch import nn
    class Memory(nn.Module):
        def __init__(self):
            super().__init__()
            self.h = None
            self.scale = torch.ones(2)
            self.linear = nn.Linear(2, 2)
        def forward(self, x):
            self.h = x if self.h is None else 0.5 * self.h + x
            self.scale = -self.scale * 2
            return self.h
    m = Memory()
    m(torch.ones(2))
    m(torch.ones(2))
    CAST
    show(m.h, m.scale, m.linear.weight.dtype)
"""


@pytest.mark.parametrize("cast", ["m.double()", "m.to(torch.float64)", "m.to(dtype=torch.float64)", "m.buffers()"])
def test_carried_tensors_are_no_buffers(cast: str, agrees: Callable[..., object]) -> None:
    agrees(CARRIED.replace("CAST", cast), "paddle")
