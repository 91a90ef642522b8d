"""OneCycleLR is stepped as often as it has steps in all: once behind each batch, the last one included."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import torch

    for total in (4, 7):
        for options in ({}, {"three_phase": True}, {"anneal_strategy": "linear"}, {"cycle_momentum": False}):
            w = torch.nn.Parameter(torch.ones(2))
            opt = torch.optim.Adam([w], lr=0.1)
            schedule = torch.optim.lr_scheduler.OneCycleLR(opt, 0.1, total_steps=total, **options)
            rates = []
            for turn in range(total):
                opt.zero_grad()
                (w ** 2).sum().backward()
                opt.step()
                rates.append(schedule.get_last_lr()[0])
                schedule.step()
            show(rates, w)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_each_batch_is_a_step(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
