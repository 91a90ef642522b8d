"""Samples of schedules: fifty steps of training a small layer under each. PyTorch has no database of them; the options
are those of its documentation. Runs in torch's interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

STEPS = 50
OPTIONS: dict[str, list[str]] = {
    "LambdaLR": ["lr_lambda=lambda epoch: 0.95 ** epoch", "lambda step: min(1.0, (step + 1) / 10)"],
    "MultiplicativeLR": ["lr_lambda=lambda epoch: 0.95"],
    "StepLR": ["step_size=7", "20, gamma=0.5"],
    "MultiStepLR": ["milestones=[5, 30]", "[10, 20, 40], gamma=0.3"],
    "ConstantLR": ["", "factor=0.5, total_iters=4"],
    "LinearLR": ["", "start_factor=0.5, total_iters=10", "start_factor=0.2, end_factor=0.8, total_iters=30"],
    "ExponentialLR": ["gamma=0.9", "0.97"],
    "CosineAnnealingLR": ["T_max=50", "T_max=12, eta_min=0.01", "20"],
    "CosineAnnealingWarmRestarts": ["T_0=10", "T_0=5, T_mult=2, eta_min=0.001"],
    "PolynomialLR": ["", "total_iters=40, power=2.0"],
    "OneCycleLR": [
        "max_lr=0.3, total_steps=60",
        "max_lr=0.2, epochs=6, steps_per_epoch=10, pct_start=0.4, anneal_strategy='linear'",
        "max_lr=0.3, total_steps=51, three_phase=True, div_factor=10.0, final_div_factor=100.0, cycle_momentum=False",
    ],
    "CyclicLR": [
        "base_lr=0.01, max_lr=0.1, step_size_up=8",
        "base_lr=0.01, max_lr=0.1, step_size_up=5, step_size_down=9, mode='triangular2', cycle_momentum=False",
        "base_lr=0.01, max_lr=0.1, step_size_up=6, mode='exp_range', gamma=0.98",
    ],
    "ReduceLROnPlateau": [
        "",
        "mode='min', factor=0.5, patience=3, threshold=0.05",
        "'max', patience=2, cooldown=3, min_lr=1e-3",
    ],
    "SequentialLR": [
        "[torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=10), "
        "torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)], milestones=[10]",
        "schedulers=[torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=5), "
        "torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=45)], milestones=[5]",
    ],
    "ChainedScheduler": [
        "[torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=20), "
        "torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)]",
    ],
}  # fmt: skip
ALONE = {"ChainedScheduler"}  # they take no optimizer of their own
BODY = """\
optimizer = torch.optim.SGD(module.parameters(), lr=0.05, momentum=0.9)
scheduler = torch.optim.lr_scheduler.{scheduler}
rates = []
for _ in range({steps}):
    optimizer.zero_grad()
    out = module(a0)
    loss = (out * out).mean()
    loss.backward()
    optimizer.step()
    scheduler.step({given})
    rates.append({rate})
return rates, loss"""
RATES = ("scheduler.get_last_lr()[0]", 'optimizer.param_groups[0]["lr"]')


def entries() -> dict[str, list[Any]]:
    """The classes by name."""
    return {f"lr_scheduler.{name}": [name] for name in OPTIONS}


def covers(group: list[Any]) -> list[str]:
    """Last parts of the names that an entry's samples call."""
    return [*group, "step", "get_last_lr"]


def programs(entry: Any, arguments: Any, few: int | None = None) -> Iterator[dict[str, Any]]:
    """One for each set of options, or for ``few`` of them; the rate is asked of the schedule and of the optimizer."""
    for number, words in enumerate(OPTIONS[entry][:few]):
        first = [] if entry in ALONE else ["optimizer"]
        call = f"{entry}({', '.join([*first, *filter(None, [words])])})"
        torch.manual_seed(0)
        given = "loss.item()" if entry == "ReduceLROnPlateau" else ""
        rate = RATES[number % 2]
        yield {
            "label": f"lr_scheduler.{entry}:train:{number}",
            "key": f"torch.optim.lr_scheduler.{entry}",
            "train": True,
            "forms": [("steps", "torch.nn.Linear(4, 3)")],
            "body": BODY.format(scheduler=call, steps=STEPS, given=given, rate=rate),
            "tensors": {"a0": torch.randn(6, 4)},
        }
