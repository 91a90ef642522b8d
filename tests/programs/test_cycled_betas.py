"""OneCycleLR cycles Adam's first beta: each step corrects for the present one, as torch does."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize(
    "optimizer",
    ["Adam([w])", "AdamW([w], betas=(0.8, 0.95))", "SGD([w], lr=0.1, momentum=0.9)", "Adam([{'params': [w]}])"],
)
@pytest.mark.parametrize(
    "options", ["", ", cycle_momentum=False", ", base_momentum=0.7, max_momentum=0.9, three_phase=True"]
)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_one_cycle(outcome: Callable[..., object], target: str, options: str, optimizer: str) -> None:
    found = outcome(
        f"""
        import torch
        import torch.nn as nn

        w = nn.Parameter(torch.tensor([1.0, -0.5, 0.3]))
        opt = torch.optim.{optimizer}
        schedule = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=10{options})
        for i in range(9):
            opt.zero_grad()
            (w ** 2).sum().backward()
            opt.step()
            schedule.step()
            show(i, w, opt.param_groups[0]["lr"])
        """,
        target,
    )
    assert found.verdict in {"agrees", "marked"}, str(found)  # type: ignore[attr-defined]
