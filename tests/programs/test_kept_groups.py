"""Dicts of an optimizer's groups are the program's own: what it changes in them the optimizer sees, and the reverse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

KEPT = """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.5); nn.init.zeros_(net.bias)
head = {"params": net.parameters(), "lr": 0.1}
opt = torch.optim.SGD([head], lr=0.5)
for i in range(3):
    opt.zero_grad(); net(torch.ones(1, 2)).sum().backward(); opt.step()
    head["lr"] = head["lr"] * 0.5
    show(net.weight, len(head["params"]))

p, q = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
groups = [{"params": [p], "lr": 0.1}, {"params": [q]}]
opt = torch.optim.SGD(groups, lr=0.5)
schedule = torch.optim.lr_scheduler.StepLR(opt, 1, 0.5)
for i in range(3):
    opt.zero_grad(); (p.sum() * q).sum().backward(); opt.step(); schedule.step()
    show(p, q, [g["lr"] for g in groups])

class Trainer:
    def __init__(self):
        self.groups = [{"params": [p], "name": "a"}]
        self.opt = torch.optim.Adam(self.groups, lr=0.1)
        self.extra = {"params": q, "lr": 0.5, "name": "b"}
        self.opt.add_param_group(self.extra)
    def decay(self):
        for g in self.groups:
            g["lr"] *= 0.5
        self.extra["lr"] *= 0.1
t = Trainer()
for i in range(3):
    t.opt.zero_grad(); (p.sum() * q).sum().backward(); t.opt.step(); t.decay()
    show(p, q, [(g["name"], g["lr"]) for g in t.opt.param_groups], t.extra["weight_decay"])
saved = t.opt.state_dict()
t.opt.load_state_dict(saved)
t.extra["lr"] = 7.0
show([g["lr"] for g in t.opt.param_groups], saved["param_groups"][0]["params"])
"""
COPIED = """
import torch
p = torch.nn.Parameter(torch.ones(2))
head = {"params": [p], "lr": 0.1}
opt = torch.optim.RMSprop([head])
head["lr"] = 0.2
p.sum().backward(); opt.step()
show(p)
"""
NOT_KEPT = """
import sys
import torch
p, q = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(1))
groups = [{"params": [p], "weight_decay": 0.1}, {"params": [q], "weight_decay": 0.0}]
groups[1]["params"].append(torch.nn.Parameter(torch.ones(1)))
if len(sys.argv) > 9:
    opt = torch.optim.Adam(groups, lr=0.1)
else:
    opt = torch.optim.SGD(groups, lr=0.1)
print(len(groups), groups)
show(sum(one.numel() for one in groups[1]["params"]))
"""

STATE = """
import torch
import torch.nn as nn
w = nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([w], lr=.1, momentum=.9)
for i in range(3):
    opt.zero_grad(); (w ** 2).sum().backward(); opt.step()
    show(w, opt.state[w]["momentum_buffer"], opt.defaults["lr"])
net = nn.ModuleDict({"body": nn.Linear(2, 3), "head": nn.Linear(3, 1)})
for p in net.parameters():
    nn.init.constant_(p, 0.3)
net["body"].requires_grad_(False)
adam = torch.optim.Adam(filter(lambda p: p.requires_grad, net.parameters()), lr=.05)
schedule = torch.optim.lr_scheduler.StepLR(adam, 1, 0.5)
for epoch in range(4):
    if epoch == 2:
        net["body"].requires_grad_(True)
        adam.add_param_group({"params": list(net["body"].parameters()), "lr": .01})
    adam.zero_grad(); net["head"](net["body"](torch.ones(1, 2))).sum().backward(); adam.step()
    if epoch < 2:
        schedule.step()
    show([g["lr"] for g in adam.param_groups], net["body"].bias, net["head"].bias)
"""
CALLED_LATER = """
import torch
class Sharp(torch.optim.Optimizer):
    def __init__(self, params, base, rho=.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base_optimizer = base(self.param_groups, **kw)
        self.param_groups = self.base_optimizer.param_groups
    @torch.no_grad()
    def climb(self):
        for g in self.param_groups:
            for p in g["params"]:
                self.state[p]["old"] = p.data.clone()
                p.add_(p.grad * g["rho"])
        self.zero_grad()
    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                p.data = self.state[p]["old"]
        self.base_optimizer.step(); self.zero_grad()
w, b = torch.nn.Parameter(torch.tensor([1., 2.])), torch.nn.Parameter(torch.tensor([.5]))
def loss():
    return ((w.prod() + b) ** 2).sum() + w.pow(2).sum()
for kind, more in ((torch.optim.SGD, dict(lr=.1, momentum=.9)), (torch.optim.AdamW, dict(lr=.1))):
    opt = Sharp([{"params": [w]}, {"params": [b], "rho": .1}], kind, **more)
    for i in range(3):
        loss().backward(); opt.climb(); loss().backward(); opt.step()
        show(w, b, [g["rho"] for g in opt.param_groups])
    for g in opt.param_groups:
        g["lr"] = .01
    show([g["lr"] for g in opt.base_optimizer.param_groups])
"""


def test_state_and_groups_that_are_added_are_torchs_on_paddle(agrees: Callable[..., Any]) -> None:
    agrees(STATE, "paddle")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_are_handed_from_one_optimizer_to_another(agrees: Callable[..., Any], target: str) -> None:
    agrees(CALLED_LATER, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_are_the_optimizers_groups(agrees: Callable[..., Any], target: str) -> None:
    agrees(KEPT, target)


def test_are_so_with_every_optimizer_on_paddle(agrees: Callable[..., Any]) -> None:
    agrees(COPIED, "paddle")


def test_are_marked_where_they_are_copied(announced: Callable[..., Any]) -> None:
    announced(COPIED, "oneflow")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_others_are_given_to_the_targets_own_optimizer(agrees: Callable[..., Any], target: str) -> None:
    text = agrees(NOT_KEPT, target).converted["program.py"]
    assert ("SGD_of_groups(groups" if target == "paddle" else "torch.optim.SGD(groups") in text, text


GIVEN_BY_FUNCTIONS = """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.5)
GROUPS = {}
def make_groups(model):
    head = {"params": list(model[1].parameters()), "lr": 0.1}
    body = {"params": list(model[0].parameters())}
    GROUPS["head"] = head
    return [body, head]
opt = torch.optim.SGD(make_groups(net), lr=0.5)
def train(opt, change):
    for i in range(3):
        opt.zero_grad(); net(torch.ones(1, 2)).sum().backward(); opt.step()
        change()
        show([p for p in net.parameters()])
def halve():
    GROUPS["head"]["lr"] *= 0.5
train(opt, halve)

class Maker:
    def __init__(self, model):
        self.model = model
        self.groups = []
    def build(self):
        for m in self.model:
            g = {"params": list(m.parameters()), "lr": 0.1}
            self.groups.append(g)
        return self.groups
    def decay(self):
        for g in self.groups:
            g["lr"] *= 0.5
maker = Maker(net)
opt = torch.optim.Adam(maker.build())
train(opt, maker.decay)
KEPT = []
def of(model):
    out = []
    for m in model:
        out.append({"params": list(m.parameters()), "lr": 0.01})
    KEPT.extend(out)
    return out
opt = torch.optim.AdamW(params=of(net), weight_decay=0.1)
def bump():
    for g in KEPT:
        g["lr"] += 0.01
train(opt, bump)
"""
OF_ONE_GROUP = """
import torch
p = torch.nn.Parameter(torch.ones(2))
def go(kind, **more):
    head = {"params": [p], "lr": 0.1}
    groups = [head]
    opt = torch.optim.Rprop(groups)
    head["lr"] = 0.2
    return opt
opt = go(1)
p.sum().backward(); opt.step()
show(p)
head = {"params": [p], "lr": 0.1}
opt = torch.optim.ASGD([head])
head["lr"] = 0.2
p.sum().backward(); opt.step()
show(p)
"""
FIRST_RATES = """
import torch
p = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.Rprop([p], lr=0.1)
schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda n: 0.5 ** (n + 1))
for i in range(3):
    opt.zero_grad(); (p * p).sum().backward(); opt.step(); schedule.step()
    show(p)
opt = torch.optim.Rprop([p])
for g in opt.param_groups:
    g["lr"] = 0.3
for i in range(3):
    opt.zero_grad(); (p * p).sum().backward(); opt.step()
    show(p)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_are_kept_by_the_function_that_gives_them(agrees: Callable[..., Any], target: str) -> None:
    agrees(GIVEN_BY_FUNCTIONS, target)


def test_are_marked_with_optimizers_of_one_group(announced: Callable[..., Any]) -> None:
    announced(OF_ONE_GROUP, "paddle")


def test_rprop_begins_with_the_rate_of_its_first_step(agrees: Callable[..., Any]) -> None:
    agrees(FIRST_RATES, "paddle")


KEPT_ELSEWHERE = {
    "of another file": {
        "program.py": """
import torch
import torch.nn as nn
from keep import make
from decay import halve
p, q = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
opt = torch.optim.SGD(make(p, q), lr=0.5, momentum=0.9)
for i in range(3):
    opt.zero_grad(); (p.sum() * q).sum().backward(); opt.step(); halve()
    show(p, q)
""",
        "keep.py": """
GROUPS = []
def make(p, q):
    for one in (p, q):
        GROUPS.append({"params": [one], "lr": 0.1})
    return GROUPS
""",
        "decay.py": """
import keep
def halve():
    for g in keep.GROUPS:
        g["lr"] *= 0.5
""",
    },
    "an object's": {
        "program.py": """
import torch
import torch.nn as nn
from keep import Maker
p, q = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
maker = Maker(p, q)
opt = torch.optim.SGD(maker.groups(), lr=0.5, momentum=0.9)
for i in range(3):
    opt.zero_grad(); (p.sum() * q).sum().backward(); opt.step()
    maker.head["lr"] *= 0.1
    show(p, q, maker.body["lr"])
""",
        "keep.py": """
class Maker:
    def __init__(self, p, q):
        self.head = {"params": [p], "lr": 0.1}
        self.body = {"params": [q]}
    def groups(self):
        return [self.head, self.body]
""",
    },
    "made elsewhere": {
        "program.py": """
import torch
import torch.nn as nn
from build import build
p, q = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
groups = [{"params": [p], "lr": 0.1}, {"params": [q]}]
opt = build(groups)
for i in range(3):
    opt.zero_grad(); (p.sum() * q).sum().backward(); opt.step()
    groups[0]["lr"] *= 0.1
    show(p, q, groups[1]["lr"])
""",
        "build.py": """
import torch
def build(groups, lr=0.5):
    return torch.optim.SGD(groups, lr=lr, momentum=0.9)
""",
    },
    "handed on before": {
        "program.py": """
import torch
import torch.nn as nn
from watch import Watch
p, q = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
groups = [{"params": [p], "lr": 0.1}, {"params": [q], "lr": 0.2}]
watch = Watch(groups)
opt = torch.optim.SGD(groups, lr=0.3)
for i in range(3):
    opt.zero_grad(); (p.sum() * q).sum().backward(); opt.step(); watch.step(i)
    show(p, q)
""",
        "watch.py": """
class Watch:
    def __init__(self, groups):
        self.kept = groups
        self.first = [g.get("lr", 1.0) for g in groups]
    def step(self, t):
        for g, rate in zip(self.kept, self.first):
            g["lr"] = rate * 0.5 ** t
""",
    },
    "a trainer's": {
        "program.py": """
import torch
import torch.nn as nn
from trainer import Trainer
p, q = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
slow = dict(params=[p], lr=0.1)
t = Trainer([slow, dict(params=[q])])
def adjust(epoch):
    slow["lr"] = 0.1 / (1 + epoch)
for i in range(3):
    t.step((p.sum() * q).sum()); adjust(i)
    show(p, q)
""",
        "trainer.py": """
import torch
class Trainer:
    def __init__(self, groups):
        self.opt = torch.optim.SGD(groups, lr=0.05)
    def step(self, loss):
        self.opt.zero_grad(); loss.backward(); self.opt.step()
""",
    },
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("case", KEPT_ELSEWHERE)
def test_are_seen_wherever_they_are_kept(agrees: Callable[..., Any], case: str, target: str) -> None:
    agrees(KEPT_ELSEWHERE[case], target)


@pytest.mark.parametrize(("kind", "target"), [("ASGD", "paddle"), ("RMSprop", "oneflow")])
def test_are_marked_where_an_optimizer_of_another_file_copies_them(
    announced: Callable[..., Any], kind: str, target: str
) -> None:
    program = KEPT_ELSEWHERE["made elsewhere"]
    built = program["build.py"].replace("SGD(groups, lr=lr, momentum=0.9)", f"{kind}(groups, lr=lr)")
    shown = program["program.py"].replace(', groups[1]["lr"]', "")
    announced({"program.py": shown, "build.py": built}, target)
