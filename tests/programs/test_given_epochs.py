"""Schedules that are given an epoch reckon from the first rate, as torch's do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

GROUPS = """
import torch
from torch.optim import lr_scheduler as S
a, b = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(1))
for make in (
    lambda o: S.StepLR(o, 2, 0.5), lambda o: S.MultiStepLR(o, [1, 3], 0.5), lambda o: S.CosineAnnealingLR(o, 4),
    lambda o: S.LinearLR(o, 0.5, 1.0, 3), lambda o: S.PolynomialLR(o, 4), lambda o: S.ConstantLR(o, 0.5, 2),
    lambda o: S.LambdaLR(o, lambda e: 0.9 ** e),
):
    opt = torch.optim.SGD([{"params": [a], "lr": 0.1}, {"params": [b], "lr": 1.0}], lr=0.1)
    s = make(opt)
    for e in (0, 1, 3, 2):
        s.step(e)
        show([g["lr"] for g in opt.param_groups], s.last_epoch, s.get_last_lr())
    s.step()
    show([g["lr"] for g in opt.param_groups])
"""
BY_HAND = """
import torch
p = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([p], lr=0.1)
s = torch.optim.lr_scheduler.ExponentialLR(opt, 0.5)
for e in range(4):
    s.step(e)
    show(opt.param_groups[0]["lr"])
for g in opt.param_groups:
    g["lr"] = 0.3
s.step(epoch=2)
show(opt.param_groups[0]["lr"])
"""
FRACTIONS = """
import torch
p = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([p], lr=0.1)
s = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=2, T_mult=2)
for e in range(3):
    for i in range(2):
        s.step(e + i / 2)
        show(opt.param_groups[0]["lr"])
s.step()
show(opt.param_groups[0]["lr"])
"""


@pytest.mark.parametrize("program", [GROUPS, BY_HAND, FRACTIONS], ids=["groups", "by hand", "fractions"])
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_are_at_the_rate_of_that_epoch(agrees: Callable[..., Any], target: str, program: str) -> None:
    agrees(program, target)
