"""Optimizers with several schedules: each step begins at the rate that another one left."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest

HEAD = """
import torch
from torch.optim import lr_scheduler as S
from torch.optim.swa_utils import SWALR
p = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([p], lr=0.1)
def show_step():
    opt.zero_grad()
    (p ** 2).sum().backward()
    opt.step()
"""
PROGRAMS = {
    "both stepped": """
        a = S.StepLR(opt, 2, 0.5)
        b = S.ExponentialLR(opt, 0.9)
        for e in range(5):
            show_step(); a.step(); b.step()
            show(opt.param_groups[0]["lr"], p)
    """,
    "one after the other": """
        a = S.LinearLR(opt, 0.1, 1.0, 3)
        b = S.CosineAnnealingLR(opt, 4)
        for e in range(7):
            show_step()
            if e < 3:
                a.step()
            else:
                b.step()
            show(opt.param_groups[0]["lr"], p)
    """,
    "averaging after another": """
        a = S.CosineAnnealingLR(opt, 4)
        b = SWALR(opt, swa_lr=0.02, anneal_epochs=3)
        for e in range(7):
            show_step()
            if e >= 3:
                b.step()
            else:
                a.step()
            show(opt.param_groups[0]["lr"], p)
    """,
    "averaging with a group": """
        opt = torch.optim.SGD([{"params": [p], "lr": 0.2}], lr=0.1)
        b = SWALR(opt, swa_lr=0.02, anneal_epochs=3)
        for e in range(5):
            show_step()
            b.step()
            show(opt.param_groups[0]["lr"], p)
    """,
    "averaging of several groups": """
        q = torch.nn.Parameter(torch.ones(1))
        opt = torch.optim.SGD([{"params": [p]}, {"params": [q], "lr": 0.3}], lr=0.1)
        b = SWALR(opt, swa_lr=[0.02, 0.05], anneal_epochs=3)
        for e in range(5):
            opt.zero_grad(); ((p * q) ** 2).sum().backward(); opt.step()
            b.step()
            show([g["lr"] for g in opt.param_groups], p)
    """,
    "averaging after rates by hand": """
        b = SWALR(opt, swa_lr=0.02, anneal_epochs=3)
        for e in range(6):
            show_step()
            if e < 3:
                for g in opt.param_groups:
                    g["lr"] = 0.1 / (e + 1)
            else:
                b.step()
            show(opt.param_groups[0]["lr"], p)
    """,
    "a plateau beside another": """
        a = S.StepLR(opt, 2, 0.5)
        b = S.ReduceLROnPlateau(opt, patience=0, factor=0.3)
        for e in range(5):
            show_step(); a.step(); b.step(1.0)
            show(opt.param_groups[0]["lr"], p)
    """,
    "one made late": """
        a = S.StepLR(opt, 1, 0.5)
        for e in range(3):
            show_step(); a.step()
        b = S.CosineAnnealingLR(opt, 3)
        for e in range(4):
            show_step(); b.step()
            show(opt.param_groups[0]["lr"], p)
    """,
}
ONE_OR_ANOTHER = """
import torch
from torch.optim import lr_scheduler as S
def make(opt, kind):
    if kind == "step":
        return S.StepLR(opt, 2)
    elif kind == "cos":
        return S.CosineAnnealingLR(opt, 4)
    if kind == "exp":
        return S.ExponentialLR(opt, 0.9)
    return S.LinearLR(opt)
p = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([p], lr=0.1)
q = torch.optim.SGD([p], lr=0.1)
if len(p) > 3:
    sched = S.StepLR(opt, 2)
elif len(p) == 2:
    sched = S.CosineAnnealingLR(opt, 4)
else:
    sched = S.ExponentialLR(opt, 0.9)
other = S.ExponentialLR(q, 0.9)
for e in range(3):
    opt.step(); sched.step()
    show(opt.param_groups[0]["lr"])
def joined(opt):
    warm = S.LinearLR(opt, 0.1, 1.0, 3)
    cos = S.CosineAnnealingLR(opt, 4)
    return S.SequentialLR(opt, [warm, cos], milestones=[3])
"""


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_they_go_on_from_each_other(agrees: Callable[..., Any], program: str) -> None:
    agrees(HEAD + dedent(program), "paddle")


def test_one_in_place_of_another_is_the_targets_own(agrees: Callable[..., Any]) -> None:
    assert "of_groups" not in agrees(ONE_OR_ANOTHER, "paddle").converted["program.py"]


METHODS = """
import torch
import torch.nn as nn
from torch.optim import lr_scheduler
class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.warmup = lr_scheduler.LambdaLR(self.opt, lambda s: min(1.0, (s + 1) / 3))
        self.main = self.make()
    def make(self):
        return lr_scheduler.ExponentialLR(self.opt, 0.5)
    def step(self, i):
        self.opt.zero_grad(); self.net(torch.ones(1, 2)).sum().backward(); self.opt.step()
        (self.warmup if i < 3 else self.main).step()
net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 1.0); nn.init.zeros_(net.bias)
t = Trainer(net)
for i in range(6):
    t.step(i)
    show(t.opt.param_groups[0]["lr"], net.weight)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_schedules_that_methods_make_of_one_attribute(agrees: Callable[..., Any], target: str) -> None:
    agrees(METHODS, target)


BY_FUNCTIONS = """
import torch
from torch.optim import lr_scheduler as S
def warm(opt):
    return S.LambdaLR(opt, lambda n: min(1.0, (n + 1) / 3))
def decay(opt, every=2):
    return S.StepLR(opt, step_size=every, gamma=0.5)
def run(p):
    opt = torch.optim.SGD([p], lr=0.1)
    a, b = warm(opt), decay(every=3, opt=opt)
    for i in range(6):
        opt.zero_grad(); p.sum().backward(); opt.step()
        if i < 3:
            a.step()
        b.step()
        show(p, opt.param_groups[0]["lr"])
run(torch.nn.Parameter(torch.ones(2)))
"""
IN_A_BRANCH = """
import torch
from torch.optim import lr_scheduler as S
def main(warm):
    p = torch.nn.Parameter(torch.ones(2))
    opt = torch.optim.SGD([p], lr=0.1)
    first = None
    if warm:
        first = S.LinearLR(opt, 0.1, total_iters=3)
    step = S.StepLR(opt, 2, 0.5)
    for i in range(6):
        opt.zero_grad(); p.sum().backward(); opt.step()
        if first is not None:
            first.step()
        step.step()
        show(p, opt.param_groups[0]["lr"])
main(False)
main(True)
"""
EACH_ITS_OWN = """
import torch
from torch.optim import lr_scheduler as S
def one(opt):
    return S.StepLR(opt, 2, 0.5)
def other(opt):
    return S.ExponentialLR(opt, 0.9)
p = torch.nn.Parameter(torch.ones(2))
a, b = torch.optim.SGD([p], lr=0.1), torch.optim.SGD([p], lr=0.2)
first, second = one(a), other(b)
for i in range(3):
    a.step(); b.step(); first.step(); second.step()
    show(a.param_groups[0]["lr"], b.param_groups[0]["lr"])
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", [BY_FUNCTIONS, IN_A_BRANCH], ids=["functions", "branch"])
def test_are_of_one_optimizer_wherever_they_are_made(agrees: Callable[..., Any], program: str, target: str) -> None:
    agrees(program, target)


def test_of_optimizers_of_their_own_are_the_targets(agrees: Callable[..., Any]) -> None:
    assert "of_groups" not in agrees(EACH_ITS_OWN, "paddle").converted["program.py"]


ASKED_WHETHER = """
import torch
opt = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
class Own:
    def get_last_lr(self):
        return [7.0]
def rate_of(s):
    return s.get_last_lr()[0] if hasattr(s, "get_last_lr") else None
def rate_by(s):
    asked = getattr(s, "get_last_lr", None)
    return asked() if asked is not None else [group["lr"] for group in opt.param_groups]
def first_by(s):
    return getattr(s, "get_last_lr")()[0]
s = torch.optim.lr_scheduler.StepLR(opt, 1)
opt.step(); s.step()
show(rate_of(s), rate_of(3), rate_of(Own()), rate_by(s), rate_by(3), rate_by(Own()), first_by(s), first_by(Own()))
"""
LOADED = """
import torch
import torch.nn as nn
from torch.optim import lr_scheduler as S
def made():
    ps = [nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))]
    opt = torch.optim.Adam([{"params": ps[:1]}, {"params": ps[1:], "lr": 0.3}], lr=0.1)
    return ps, opt, S.StepLR(opt, 2, 0.5)
def train(ps, opt, s):
    opt.zero_grad(); sum((p**2).sum() for p in ps).backward(); opt.step(); s.step()
    show(ps, [group["lr"] for group in opt.param_groups], s.last_epoch)
one, other = made(), made()
for _ in range(3):
    train(*one)
other[1].load_state_dict(one[1].state_dict()); other[2].load_state_dict(one[2].state_dict())
for _ in range(3):
    train(*other)
one[1].add_param_group({"params": [nn.Parameter(torch.ones(1))], "lr": 7.0})
for _ in range(3):
    one[1].step(); one[2].step(); show([group["lr"] for group in one[1].param_groups])
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_whether_something_tells_its_rates(agrees: Callable[..., Any], target: str) -> None:
    agrees(ASKED_WHETHER, target)


def test_go_on_with_the_groups_that_are_loaded_and_added(agrees: Callable[..., Any]) -> None:
    agrees(LOADED, "paddle")


HANDED_ON = """
import functools
import torch
import torch.nn as nn
from torch.optim import lr_scheduler as S
w, b = nn.Parameter(torch.tensor([1.0, -2.0])), nn.Parameter(torch.tensor([0.5]))
KINDS = {"cosine": S.CosineAnnealingLR, "plateau": S.ReduceLROnPlateau}
def make(opt, kind=S.StepLR, **options):
    return kind(opt, **options)
def run(opt, s):
    for i in range(4):
        opt.zero_grad(); ((w**2).sum() + b.sum() ** 2).backward(); opt.step()
        if isinstance(s, S.ReduceLROnPlateau):
            s.step(1.0)
        else:
            s.step()
        if i == 1:
            for group in opt.param_groups:
                group["lr"] *= 0.3
        show(w, [group["lr"] for group in opt.param_groups])
def opt():
    return torch.optim.SGD([{"params": [w]}, {"params": [b], "lr": 0.4}], lr=0.1, momentum=0.9)
for at, options in (("cosine", {"T_max": 3, "eta_min": 0.01}), ("plateau", {"patience": 0})):
    one = opt()
    run(one, KINDS[at](one, **options))
one, other = opt(), opt()
run(one, make(one, step_size=1))
run(other, functools.partial(S.ExponentialLR, gamma=0.5)(other))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_that_are_handed_on_have_a_rate_for_each_group(agrees: Callable[..., Any], target: str) -> None:
    agrees(HANDED_ON, target)


RESTARTED = """
import torch
import torch.nn as nn
from torch.optim import lr_scheduler as S
def made(groups):
    w, b = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
    opt = torch.optim.SGD([{"params": [w]}, {"params": [b], "lr": 0.4}] if groups else [w, b], lr=0.1)
    return opt, S.CosineAnnealingWarmRestarts(opt, T_0=2, T_mult=2, eta_min=0.01)
for groups in (False, True):
    one, other = made(groups), made(groups)
    for _ in range(3):
        one[0].step(); one[1].step()
    other[0].load_state_dict(one[0].state_dict()); other[1].load_state_dict(one[1].state_dict())
    for _ in range(4):
        for opt, s in (one, other):
            opt.step(); s.step()
            show([group["lr"] for group in opt.param_groups], s.last_epoch)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_warm_restarts_go_on_from_their_state(agrees: Callable[..., Any], target: str) -> None:
    agrees(RESTARTED, target)


CYCLED = """
import torch
import torch.nn as nn
from torch.optim import lr_scheduler as S
w, b = nn.Parameter(torch.tensor([1.0, -2.0])), nn.Parameter(torch.tensor([0.5]))
groups = [{"params": [w]}, {"params": [b], "lr": 0.4}]
for options in ({"base_lr": 0.01, "max_lr": 0.2}, {"base_lr": [0.01, 0.02], "max_lr": [0.2, 0.3]}):
    opt = torch.optim.SGD([dict(group) for group in groups], lr=0.1)
    s = S.CyclicLR(opt, **options, step_size_up=2, cycle_momentum=False)
    show([group["lr"] for group in opt.param_groups])
    for _ in range(5):
        opt.step(); s.step()
        show([group["lr"] for group in opt.param_groups], s.get_last_lr())
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_cycles_are_each_groups(agrees: Callable[..., Any], target: str) -> None:
    agrees(CYCLED, target)
