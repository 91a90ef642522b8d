"""``F.pad(mask, (1, 0), value=True)`` of what nothing says to be a mask."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import torch
    import torch.nn.functional as F

    def padded(mask, x, k=1):
        a = F.pad(mask, (1, 0), value=True)
        b = F.pad(mask, (0, k), value=False)
        c = F.pad(x, (1, 1), value=True)
        return a, b, c, F.pad(mask, (1, 1), "constant", True)

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    given = padded(torch.tensor([True, False]), x)
    show(*(one.detach() for one in given), [one.dtype for one in given])
    show(*padded(torch.tensor([[True], [False]]), torch.tensor([3, 4])))
"""
GRADIENT = """
    (given[2] * torch.arange(4.0)).sum().backward()
    show(x.grad)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_padded_masks(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM if target == "jax" else PROGRAM + GRADIENT, target)
