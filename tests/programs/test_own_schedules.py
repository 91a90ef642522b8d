"""A program's own schedules, schedules that are joined, and what optimizers leave behind at parameters."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

TARGETS = ("paddle", "oneflow")
HEAD = """
import torch
from torch.optim.lr_scheduler import _LRScheduler, LambdaLR, LRScheduler, StepLR
from torch.optim.lr_scheduler import ChainedScheduler, CosineAnnealingLR, ExponentialLR, LinearLR, SequentialLR

p, q = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2))
one, two = (lambda: [p]), (lambda: [{"params": [p], "lr": 0.1}, {"params": [q]}])


def run(make, groups, n=6):
    opt = torch.optim.SGD(groups(), lr=0.5)
    schedule = make(opt)
    out = []
    for _ in range(n):
        opt.step()
        out.append([round(g["lr"], 6) for g in opt.param_groups])
        schedule.step()
    show(out, [round(v, 6) for v in schedule.get_last_lr()])
    return schedule


class Warm(_LRScheduler):
    def __init__(self, optimizer, warm, last_epoch=-1):
        self.warm = warm
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch < self.warm:
            return [b * (self.last_epoch + 1) / self.warm for b in self.base_lrs]
        return [b * 0.9 ** (self.last_epoch - self.warm) for b in self.base_lrs]
"""
PROGRAMS = {
    "warming up": """
        for groups in (one, two):
            schedule = run(lambda o: Warm(o, 3), groups)
        state = schedule.state_dict()
        again = Warm(torch.optim.SGD(two(), lr=0.5), 3)
        again.load_state_dict(state)
        again.step()
        show(again.last_epoch, again.get_last_lr(), again.base_lrs)
    """,
    "by the groups of the optimizer, and by steps": """
        class Poly(_LRScheduler):
            def __init__(self, optimizer, most, power=0.9):
                self.most, self.power = most, power
                super(Poly, self).__init__(optimizer)

            def get_lr(self):
                share = (1 - self.last_epoch / self.most) ** self.power
                return [g["initial_lr"] * share for g in self.optimizer.param_groups]


        class Noam(LRScheduler):
            def __init__(self, optimizer, warmup):
                self.warmup = warmup
                super().__init__(optimizer)

            def get_lr(self):
                s = self._step_count
                return [0.25 * min(s ** -0.5, s * self.warmup ** -1.5)] * len(self.base_lrs)


        run(lambda o: Poly(o, 10), two)
        run(lambda o: Noam(o, 3), one)
    """,
    "beside torch's, one of which is of any class": """
        for make in (lambda o: LambdaLR(o, lambda e: 0.5 ** e), lambda o: Warm(o, 2)):
            run(make, two)
    """,
    "joined": """
        for groups in (one, two):
            run(lambda o: SequentialLR(o, [LinearLR(o, 0.1, total_iters=2), CosineAnnealingLR(o, 4)], [2]), groups)
            run(lambda o: SequentialLR(o, [LinearLR(o, 0.1, total_iters=2), StepLR(o, 2, 0.1)], milestones=[2]), groups)
            run(lambda o: ChainedScheduler([LinearLR(o, 0.1, total_iters=2), ExponentialLR(o, 0.5)]), groups)
    """,
    "optimizers one after the other": """
        net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
        for w in net.parameters():
            torch.nn.init.constant_(w, 0.5)


        def train(opt):
            for _ in range(2):
                opt.zero_grad()
                net(torch.ones(3, 2)).sum().backward()
                opt.step()
            show([w.sum() for w in net.parameters()])


        slow = {"params": net[0].parameters(), "lr": 0.01, "weight_decay": 0.1}
        train(torch.optim.SGD([slow, {"params": net[1].parameters()}], lr=0.1))
        train(torch.optim.SGD(net.parameters(), lr=0.1))
        train(torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.01))
    """,
}
# On OneFlow get_lr() of one of its own schedules is marked.
AFTER = """
    class Gradual(_LRScheduler):
        def __init__(self, optimizer, multiplier, total, after):
            self.multiplier, self.total, self.after, self.finished = multiplier, total, after, False
            super().__init__(optimizer)

        def get_lr(self):
            if self.last_epoch > self.total:
                if not self.finished:
                    self.after.base_lrs = [b * self.multiplier for b in self.base_lrs]
                    self.finished = True
                return self.after.get_lr()
            return [b * ((self.multiplier - 1.0) * self.last_epoch / self.total + 1.0) for b in self.base_lrs]

        def step(self, epoch=None):
            if self.finished:
                self.after.step()
                self._last_lr = self.after.get_last_lr()
            else:
                super().step(epoch)


    run(lambda o: Gradual(o, 2.0, 3, StepLR(o, 2, 0.5)), one, 8)
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_agrees_with_torch(name: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), target)


def test_a_schedule_that_hands_over_to_one_of_torchs_agrees_on_paddle(agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(AFTER), "paddle")
