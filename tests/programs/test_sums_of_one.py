"""The sum of a tensor without axes has torch's dtype."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_sum_without_axes(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch

        z = torch.tensor(1.5)
        i = torch.tensor(3, dtype=torch.int32)
        show((z > 0.1).sum(), torch.sum(z > 0.1), i.sum(), torch.sum(i), z.sum(), (z > 0.1).sum().item() + 1)

        def count(mask):
            return mask.sum()

        show(count(torch.tensor([True, True])), torch.ones(2, 3, dtype=torch.bool).sum())
        """,
        target,
    )
