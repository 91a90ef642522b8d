"""Attention whose mask lets some queries see nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_queries_that_see_nothing(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        import torch.nn.functional as F

        x = (torch.arange(24.0).reshape(1, 2, 3, 4) / 7 - 1).sin()
        seen = torch.tensor([[True, False, False], [True, True, False], [False, False, False]])
        added = torch.zeros(3, 3).masked_fill(~seen, float("-inf"))
        for mask in (seen, added, seen[None, None].expand(1, 2, 3, 3), None):
            for q in (x, x[0], x[0, 0]):
                given = q.clone().requires_grad_()
                shaped = mask if mask is None or mask.dim() == 2 or q.dim() == 4 else mask[0, 0]
                found = F.scaled_dot_product_attention(given, given, given, attn_mask=shaped)
                (found * torch.arange(float(found.numel())).reshape(found.shape)).sum().backward()
                show(found.detach(), given.grad)
        """,
        target,
    )
