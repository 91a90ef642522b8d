"""Axes of one element, whose strides torch passes over when it asks whether a tensor lies in one piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAMS = {
    "a change of contiguous()": """
        import torch
        def change(x):
            y = x.transpose(0, 1).contiguous()
            y.add_(1)
            return x, y
        show([change(torch.zeros(sizes)) for sizes in ((2, 1, 3), (1, 2, 3), (2, 2), (0, 2))])
    """,
    "a change of what it is of": """
        import torch
        x = torch.arange(8.0).reshape(4, 2)
        kept = [x[:1].t().contiguous(), x[:, :1].contiguous(), x[1:2, ::2].contiguous()]
        x.mul_(3)
        show(x, kept)
    """,
    "given by a function, and indexed": """
        import torch
        def turned(x):
            return x.permute(0, 2, 1).contiguous()
        x = torch.arange(6.0).reshape(2, 1, 3)
        y = turned(x)
        y[:, torch.tensor([2, 0])] = 9.0
        show(x, y, y[:, torch.tensor([1, 2])])
    """,
    "in a layer": """
        import torch
        from torch import nn
        class Block(nn.Module):
            def forward(self, x):
                b, c, n = x.shape
                y = x.transpose(1, 2).contiguous().view(b, n, c)
                y += 1
                return y, x
        show(Block()(torch.zeros(2, 1, 3)), Block()(torch.zeros(2, 3, 1)), Block()(torch.zeros(2, 3, 2)))
    """,
    "asked": """
        import torch
        x = torch.ones(3, 4)
        show(x[:1, :2].is_contiguous(), torch.zeros(0, 3).t().is_contiguous())
        show(x[:1].t().is_contiguous(), x.t().is_contiguous(), x.is_contiguous(), x[:, :1].is_contiguous())
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., Any], program: str) -> None:
    agrees(program, "paddle")


def test_what_is_put_in_one_piece_is_not_asked_by_a_helper(agrees: Callable[..., Any]) -> None:
    ran = agrees(
        """
        import torch
        def whole(x):
            y = x.t()
            if not y.is_contiguous():
                y = y.contiguous()
            return y + 1
        show(whole(torch.ones(2, 3)))
        """,
        "paddle",
    )
    assert "paddle_helpers" not in ran.converted["program.py"]
