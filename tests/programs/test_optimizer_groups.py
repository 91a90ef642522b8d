"""Optimizers: groups with options of their own, what is set during training, states, schedules over groups."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

TARGETS = ("paddle", "oneflow")
HEAD = """
import torch
import torch.nn as nn

a = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))
b = nn.Parameter(torch.tensor([0.5, 0.25]))
c = nn.Parameter(torch.tensor([4.0]))

def loss():
    return (a ** 2).sum() + (b ** 3).sum() * 2 + (c * 1.5).sum() ** 2

def train(opt, steps=3, schedule=None):
    for _ in range(steps):
        opt.zero_grad()
        loss().backward()
        opt.step()
        if schedule is not None:
            schedule.step()
    show(a, b, c)
"""
PROGRAMS = {
    "momentum": """
        train(torch.optim.SGD([{"params": [a], "momentum": 0.9}, {"params": [b, c]}], lr=0.01))
    """,
    "momentum against a default": """
        groups = [{"params": [a], "momentum": 0.0}, {"params": [b], "momentum": 0.5}]
        train(torch.optim.SGD(groups, lr=0.01, momentum=0.9))
    """,
    "a cycled momentum": """
        opt = torch.optim.SGD([{"params": [a]}, {"params": [b, c], "lr": 0.02}], lr=0.01)
        train(opt, 5, torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.05, total_steps=10))
    """,
    "nesterov": """
        groups = [{"params": [a], "momentum": 0.9, "nesterov": True}, {"params": [b, c]}]
        train(torch.optim.SGD(groups, lr=0.01, momentum=0.5))
    """,
    "weight decay": """
        groups = [{"params": [a], "weight_decay": 0.5}, {"params": [b]}, {"params": [c], "weight_decay": 0.0}]
        train(torch.optim.SGD(groups, lr=0.01, weight_decay=0.1))
    """,
    "weight decay of AdamW": """
        train(torch.optim.AdamW([{"params": [a], "weight_decay": 0.5}, {"params": [b, c], "weight_decay": 0}], lr=0.01))
    """,
    "weight decay of Adam": """
        train(torch.optim.Adam([{"params": [a], "weight_decay": 0.5}, {"params": [b, c]}], lr=0.01))
    """,
    "rates": """
        train(torch.optim.SGD([{"params": [a], "lr": 0.1}, {"params": [b, c]}], lr=0.001))
    """,
    "rates without a default": """
        train(torch.optim.SGD([{"params": [a], "lr": 0.1}, {"params": [b], "lr": 0.01}]))
    """,
    "a rate of nothing": """
        train(torch.optim.SGD([{"params": [a], "lr": 0.1}, {"params": [b, c]}], lr=0.0))
    """,
    "betas and eps": """
        groups = [{"params": [a], "betas": (0.5, 0.6), "eps": 0.1}, {"params": [b, c], "lr": 0.2}]
        train(torch.optim.Adam(groups, lr=0.05))
    """,
    "of RMSprop": """
        groups = [{"params": [a], "alpha": 0.5, "eps": 0.01}, {"params": [b, c], "momentum": 0.9}]
        train(torch.optim.RMSprop(groups, lr=0.01))
    """,
    "of Adagrad": """
        train(torch.optim.Adagrad([{"params": [a], "lr": 0.1}, {"params": [b, c], "weight_decay": 0.5}], lr=0.01))
    """,
    "of Adadelta": """
        train(torch.optim.Adadelta([{"params": [a], "rho": 0.5}, {"params": [b, c], "lr": 0.5}], lr=1.0))
    """,
    "of Adamax": """
        train(torch.optim.Adamax([{"params": [a], "betas": (0.5, 0.9)}, {"params": [b, c], "lr": 0.1}], lr=0.01))
    """,
    "of NAdam": """
        train(torch.optim.NAdam([{"params": [a], "lr": 0.1}, {"params": [b, c], "weight_decay": 0.1}], lr=0.01))
    """,
    "of RAdam": """
        train(torch.optim.RAdam([{"params": [a], "lr": 0.1}, {"params": [b, c], "betas": (0.8, 0.9)}], lr=0.01), 8)
    """,
    "built in a loop": """
        groups = []
        for name, p in [("a", a), ("b", b), ("c", c)]:
            groups.append({"params": [p], "lr": 0.1 if name == "a" else 0.01, "name": name})
        opt = torch.optim.SGD(groups, lr=0.5, momentum=0.9)
        train(opt)
        show([group["name"] for group in opt.param_groups], [group["lr"] for group in opt.param_groups])
    """,
    "weight decay set": """
        opt = torch.optim.SGD([a, b, c], lr=0.01, weight_decay=0.1)
        train(opt, 1)
        for group in opt.param_groups:
            group["weight_decay"] = 0.9
        train(opt, 2)
    """,
    "weight decay of Adam set": """
        opt = torch.optim.Adam([a, b, c], lr=0.01)
        train(opt, 1)
        for group in opt.param_groups:
            group["weight_decay"] = 0.9
        train(opt, 2)
    """,
    "weight decay of AdamW set": """
        opt = torch.optim.AdamW([{"params": [a]}, {"params": [b, c], "weight_decay": 0.0}], lr=0.01)
        train(opt, 1)
        opt.param_groups[0]["weight_decay"] = 0.9
        train(opt, 2)
    """,
    "momentum set": """
        opt = torch.optim.SGD([a, b, c], lr=0.01, momentum=0.9)
        train(opt, 2)
        for group in opt.param_groups:
            group["momentum"] = 0.5
        train(opt, 2)
    """,
    "betas set": """
        opt = torch.optim.Adam([a, b, c], lr=0.01)
        train(opt, 2)
        opt.param_groups[0]["betas"] = (0.5, 0.9)
        train(opt, 2)
    """,
    "rates set": """
        opt = torch.optim.SGD([{"params": [a]}, {"params": [b, c], "lr": 0.1}], lr=0.01)
        train(opt, 1)
        for group in opt.param_groups:
            group["lr"] *= 0.1
        train(opt, 1)
        opt.param_groups[1]["lr"] = 0.5
        train(opt, 1)
        show([g["lr"] for g in opt.param_groups])
    """,
    "one rate set": """
        opt = torch.optim.SGD([a, b, c], lr=0.01)
        for step in range(3):
            for group in opt.param_groups:
                group["lr"] = 0.01 * (step + 1)
            train(opt, 1)
        show(opt.param_groups[0]["lr"])
    """,
    "options read": """
        opt = torch.optim.SGD([a, b, c], lr=0.01, momentum=0.9, weight_decay=0.1)
        group = opt.param_groups[0]
        show(group["lr"], group["momentum"], group["weight_decay"], group["nesterov"], len(group["params"]))
        adam = torch.optim.AdamW([a, b], lr=0.5)
        show(adam.param_groups[0]["betas"], adam.param_groups[0]["eps"], adam.param_groups[0]["weight_decay"])
    """,
    "parameters of groups": """
        opt = torch.optim.SGD([{"params": [a]}, {"params": [b, c]}], lr=0.1)
        show([len(g["params"]) for g in opt.param_groups], opt.param_groups[1]["params"][0])
        loss().backward()
        torch.nn.utils.clip_grad_norm_([p for g in opt.param_groups for p in g["params"]], 1.0)
        show(a.grad)
    """,
    "a state with its rate": """
        opt = torch.optim.SGD([a, b, c], lr=0.1, momentum=0.9)
        train(opt, 1)
        state = opt.state_dict()
        other = torch.optim.SGD([a, b, c], lr=0.5, momentum=0.9)
        other.load_state_dict(state)
        train(other, 2)
        show(other.param_groups[0]["lr"])
    """,
    "a state with its options": """
        opt = torch.optim.Adam([a, b, c], lr=0.1, weight_decay=0.5)
        train(opt, 2)
        other = torch.optim.Adam([a, b, c], lr=0.1)
        other.load_state_dict(opt.state_dict())
        train(other, 2)
    """,
    "a state of groups": """
        def make(lr):
            return torch.optim.AdamW([{"params": [a], "lr": lr}, {"params": [b, c], "weight_decay": 0.0}], lr=0.1)

        opt = make(0.5)
        train(opt, 2)
        other = make(0.01)
        other.load_state_dict(opt.state_dict())
        train(other, 2)
    """,
    "a state that is edited": """
        opt = torch.optim.SGD([a, b, c], lr=0.1, momentum=0.9)
        train(opt, 1)
        state = opt.state_dict()
        for group in state["param_groups"]:
            group["lr"] = 0.01
        opt.load_state_dict(state)
        train(opt, 2)
    """,
    "a state saved": """
        import os, tempfile
        path = os.path.join(tempfile.mkdtemp(), "opt.pt")
        opt = torch.optim.Adam([a, b, c], lr=0.1)
        train(opt, 2)
        torch.save({"opt": opt.state_dict(), "epoch": 3}, path)
        other = torch.optim.Adam([a, b, c], lr=0.7)
        checkpoint = torch.load(path)
        other.load_state_dict(checkpoint["opt"])
        train(other, 2)
        show(checkpoint["epoch"])
    """,
    "frozen parts": """
        a.requires_grad = False
        opt = torch.optim.SGD([p for p in (a, b, c) if p.requires_grad], lr=0.01, weight_decay=0.5)
        train(opt)
    """,
    "without a gradient": """
        opt = torch.optim.Adam([a, b, c], lr=0.1, weight_decay=0.5)
        for _ in range(3):
            opt.zero_grad()
            (a ** 2).sum().backward()
            opt.step()
        show(a, b, c, b.grad is None)
    """,
    "gradients to zero": """
        opt = torch.optim.SGD([a, b, c], lr=0.1)
        loss().backward()
        opt.zero_grad(set_to_none=False)
        show(a.grad, b.grad)
        opt.zero_grad(set_to_none=True)
        show(a.grad is None)
    """,
    "accumulated": """
        opt = torch.optim.SGD([{"params": [a], "lr": 0.1}, {"params": [b, c]}], lr=0.01, momentum=0.9)
        for step in range(4):
            (loss() / 2).backward()
            if step % 2:
                opt.step()
                opt.zero_grad()
        show(a, b, c)
    """,
    "a closure": """
        opt = torch.optim.SGD([a, b, c], lr=0.01)

        def closure():
            opt.zero_grad()
            value = loss()
            value.backward()
            return value

        show(opt.step(closure), opt.step(closure), a)
    """,
    "a schedule over groups": """
        opt = torch.optim.SGD([{"params": [a], "lr": 0.1}, {"params": [b, c]}], lr=0.01)
        schedule = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.5)
        train(opt, 3, schedule)
        show(schedule.get_last_lr(), [g["lr"] for g in opt.param_groups])
        show(schedule.get_last_lr()[1], opt.param_groups[1]["lr"], opt.param_groups[0]["lr"])
    """,
    "a cosine over one group of its own rate": """
        opt = torch.optim.Adam([{"params": [a, b, c], "lr": 0.2}], lr=0.1)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 10, eta_min=0.05)
        train(opt, 2, schedule)
        show(schedule.get_last_lr(), opt.param_groups[0]["lr"])
    """,
    "a cosine over groups": """
        opt = torch.optim.SGD([{"params": [a], "lr": 0.1}, {"params": [b, c]}], lr=0.01)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 4, eta_min=0.005)
        train(opt, 3, schedule)
        show(schedule.get_last_lr())
    """,
    "a function over groups": """
        opt = torch.optim.AdamW([{"params": [a], "lr": 0.1}, {"params": [b, c]}], lr=0.01)
        schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: 1 / (step + 1))
        train(opt, 3, schedule)
        show(schedule.get_last_lr())
    """,
    "a cycle for each group": """
        opt = torch.optim.SGD([{"params": [a]}, {"params": [b, c]}], lr=0.1, momentum=0.9)
        schedule = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=[0.1, 0.5], total_steps=10, cycle_momentum=False)
        train(opt, 5, schedule)
        show(schedule.get_last_lr())
    """,
    "a function for each group": """
        opt = torch.optim.SGD([{"params": [a]}, {"params": [b, c], "lr": 0.01}], lr=0.1)
        schedule = torch.optim.lr_scheduler.LambdaLR(opt, [lambda e: 0.5**e, lambda e: 0.9**e])
        train(opt, 2, schedule)
        show(schedule.get_last_lr())
    """,
    "a plateau": """
        opt = torch.optim.SGD([{"params": [a]}, {"params": [b, c], "lr": 0.01}], lr=0.1)
        schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=0, factor=0.5)
        for value in (1.0, 1.0, 1.0):
            schedule.step(value)
        train(opt, 2)
        show([g["lr"] for g in opt.param_groups])
    """,
    "one rate of a schedule": """
        opt = torch.optim.SGD([a, b, c], lr=0.1)
        schedule = torch.optim.lr_scheduler.ExponentialLR(opt, 0.5)
        train(opt, 2, schedule)
        show(schedule.get_last_lr(), opt.param_groups[0]["lr"])
    """,
    "norms and biases without decay": """
        net = nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3), nn.Linear(3, 1))
        for p in net.parameters():
            nn.init.constant_(p, 0.5)
        decay = [p for p in net.parameters() if p.ndim > 1]
        rest = [p for p in net.parameters() if p.ndim <= 1]
        opt = torch.optim.SGD([{"params": decay, "weight_decay": 0.5}, {"params": rest, "weight_decay": 0.0}], lr=0.1)
        net(torch.tensor([[1.0, 2.0]])).sum().backward()
        opt.step()
        show(*net.parameters())
    """,
    "a backbone and a head": """
        net = nn.ModuleDict({"body": nn.Linear(2, 2), "head": nn.Linear(2, 1)})
        for p in net.parameters():
            nn.init.constant_(p, 0.5)
        opt = torch.optim.Adam([
            {"params": net["body"].parameters(), "lr": 0.001},
            {"params": net["head"].parameters()},
        ], lr=0.1)
        for _ in range(2):
            opt.zero_grad()
            net["head"](net["body"](torch.tensor([[1.0, 2.0]]))).pow(2).sum().backward()
            opt.step()
        show(net["body"].bias, net["head"].bias)
    """,
}

SCHEDULES = {
    "steps": "StepLR(opt, 2, gamma=0.5)",
    "milestones": "MultiStepLR(opt, [1, 3], gamma=0.3)",
    "a function": "LambdaLR(opt, lambda e: 1 / (e + 1))",
    "factors": "MultiplicativeLR(opt, lambda e: 0.9)",
    "exponential": "ExponentialLR(opt, 0.8)",
    "cosine": "CosineAnnealingLR(opt, 3, eta_min=0.01)",
    "warm restarts": "CosineAnnealingWarmRestarts(opt, 2)",
    "linear": "LinearLR(opt, total_iters=3)",
    "constant": "ConstantLR(opt, factor=0.5, total_iters=2)",
    "polynomial": "PolynomialLR(opt, total_iters=4, power=2.0)",
    "one cycle": "OneCycleLR(opt, max_lr=0.1, total_steps=10)",
}
BY_HAND = """
opt = torch.optim.SGD({groups}, lr=0.1)
schedule = torch.optim.lr_scheduler.{schedule}
for step in range(5):
    loss().backward()
    opt.step()
    opt.zero_grad()
    if step % 2:
        for group in opt.param_groups:
            group["lr"] *= 0.9
    show(schedule.get_last_lr(), [g["lr"] for g in opt.param_groups], opt.param_groups[0]["lr"])
    schedule.step()
show(a, b, schedule.get_last_lr(), schedule.base_lrs)
"""
MADE = ("SGD", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "RMSprop", "Adagrad", "Adadelta")


@pytest.mark.parametrize("groups", ["[a, b, c]", '[{"params": [a]}, {"params": [b, c], "weight_decay": 0.1}]'])
@pytest.mark.parametrize("name", SCHEDULES)
def test_rates_set_by_hand_beside_a_schedule(agrees: Callable[..., object], name: str, groups: str) -> None:
    if name == "one cycle":
        groups = groups.replace("}]", ', "momentum": 0.5}]')  # of its own: Momentum in Paddle
    agrees(HEAD + BY_HAND.format(groups=groups, schedule=SCHEDULES[name]), "paddle")


@pytest.mark.parametrize("name", MADE)
def test_groups_are_torchs_dicts(agrees: Callable[..., object], name: str) -> None:
    shown = "show(opt.param_groups, {**opt.param_groups[0]}, isinstance(opt.param_groups[0], dict))"
    agrees(HEAD + f"opt = torch.optim.{name}([a, b])\n{shown}\n", "paddle")


def test_each_group_tells_its_rate(agrees: Callable[..., object]) -> None:
    lines = """
        opt = torch.optim.SGD([{"params": [a], "weight_decay": 0.1}, {"params": [b, c]}], lr=0.1)
        schedule = torch.optim.lr_scheduler.ExponentialLR(opt, 0.5)
        train(opt, 2, schedule)
        show(schedule.get_last_lr())
    """
    agrees(HEAD + dedent(lines), "paddle")


def test_the_rates_of_groups_set_by_hand(agrees: Callable[..., object]) -> None:
    lines = """
        opt = torch.optim.SGD([{"params": [a]}, {"params": [b, c]}])
        for group in opt.param_groups:
            group["lr"] = 0.1
        show(opt.param_groups[0]["lr"])
        train(opt, 2)
    """
    agrees(HEAD + dedent(lines), "paddle")


def test_a_cycle_gives_plain_sgd_a_momentum(agrees: Callable[..., object]) -> None:
    lines = """
        opt = torch.optim.SGD([a, b, c], lr=0.01)
        train(opt, 4, torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=10))
    """
    agrees(HEAD + dedent(lines), "paddle")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_groups(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), target)


OWN_BETAS = """
import torch
p, q = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2))
opt = torch.optim.Adam([{"params": [p]}, {"params": [q], "lr": 0.5, "betas": (0.5, 0.9)}], lr=0.1)
def warmup(opt, step, n):
    for g in opt.param_groups:
        g.setdefault("initial_lr", g["lr"])
        g["lr"] = g["initial_lr"] * min(1, (step + 1) / n)
for i in range(3):
    warmup(opt, i, 3)
    opt.zero_grad(); ((p ** 2) * q).sum().backward(); opt.step()
    show(p, q)
state = opt.state_dict()
opt2 = torch.optim.Adam([{"params": [p]}, {"params": [q]}], lr=1.0)
opt2.load_state_dict(state)
opt2.zero_grad(); ((p ** 2) * q).sum().backward(); opt2.step()
show(p, q); show([g["lr"] for g in opt2.param_groups], [g["betas"] for g in opt2.param_groups])
p = torch.nn.Parameter(torch.ones(2))
a = torch.optim.Adam([p], lr=0.1, betas=(0.5, 0.9))
def step(o):
    o.zero_grad(); (p ** 3).sum().backward(); o.step()
step(a); step(a)
saved = a.state_dict()
q = torch.nn.Parameter(p.detach().clone())
b = torch.optim.Adam([p], lr=0.2)
step(b); step(b); step(b)
b.load_state_dict(saved)
show(b.param_groups[0]["betas"], b.param_groups[0]["lr"])
step(b)
show(p)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_groups_options_are_its_own_after_a_step(agrees: Callable[..., object], target: str) -> None:
    agrees(OWN_BETAS, target)
