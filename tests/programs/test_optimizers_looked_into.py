"""torch's own optimizers where a program with optimizers of its own asks them for ``defaults`` and ``state``."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """
import copy
import pickle
import torch
from collections import OrderedDict
from torch import optim
from torch.optim import SGD
from torch.optim.optimizer import Optimizer

class Ahead(Optimizer):
    def __init__(self, base, k=2, alpha=0.5):
        self._optimizer_step_pre_hooks, self._optimizer_step_post_hooks = OrderedDict(), OrderedDict()
        self._base = base
        self.param_groups = base.param_groups
        self.defaults = base.defaults
        self.defaults.update(ahead_k=k, ahead_alpha=alpha)
        self.count = 0

    @torch.no_grad()
    def step(self, closure=None):
        result = self._base.step(closure)
        self.count += 1
        for group in self.param_groups:
            for p in group["params"]:
                state = self._base.state[p]
                if "slow" not in state:
                    state["slow"] = p.clone()
                if self.count % self.defaults["ahead_k"] == 0:
                    state["slow"].add_(p - state["slow"], alpha=self.defaults["ahead_alpha"])
                    p.copy_(state["slow"])
        return result

def parameters(dtype=torch.float32):
    a = torch.nn.Parameter(torch.tensor([[1.0, -2.0, 3.0], [0.5, 0.25, -1.0]], dtype=dtype))
    b = torch.nn.Parameter(torch.tensor([0.5, 0.25], dtype=dtype))
    return a, b

def train(opt, a, b, steps=4):
    for _ in range(steps):
        opt.zero_grad()
        loss = (a ** 2).sum() + (b ** 3).sum() * 2 + a.sum() * 0.1
        loss.backward()
        opt.step()
    show(a, b)
"""
PROGRAMS = {
    "every kind, by name": """
        kinds = {
            "sgd": (SGD, [{}, dict(momentum=0.9, dampening=0.1), dict(momentum=0.9, nesterov=True, maximize=True)]),
            "adam": (optim.Adam, [{}, dict(amsgrad=True, weight_decay=0.1), dict(decoupled_weight_decay=True)]),
            "adamw": (optim.AdamW, [{}, dict(amsgrad=True, eps=1e-3), dict(maximize=True)]),
            "nadam": (optim.NAdam, [{}, dict(weight_decay=0.1), dict(weight_decay=0.1, decoupled_weight_decay=True)]),
            "radam": (optim.RAdam, [{}, dict(weight_decay=0.1, decoupled_weight_decay=True), dict(betas=(0.5, 0.6))]),
            "adamax": (torch.optim.Adamax, [{}, dict(weight_decay=0.1)]),
            "adadelta": (torch.optim.Adadelta, [{}, dict(weight_decay=0.1, rho=0.5)]),
            "adagrad": (torch.optim.Adagrad, [{}, dict(lr_decay=0.1, initial_accumulator_value=0.5)]),
            "rmsprop": (torch.optim.RMSprop, [{}, dict(momentum=0.9), dict(centered=True, alpha=0.9)]),
        }
        for name, (kind, several) in kinds.items():
            for options in several:
                a, b = parameters()
                opt = kind([{"params": [a]}, {"params": [b], "lr": 0.02, "weight_decay": 0.01}], lr=0.01, **options)
                train(opt, a, b, 7)
                show({key: value for key, value in opt.state[a].items()}, sorted(opt.defaults))
                show(opt.param_groups[1]["lr"], sorted(opt.state_dict()["param_groups"][0]))
    """,
    "around another": """
        for base in (optim.AdamW, SGD):
            a, b = parameters()
            opt = Ahead(base([a, b], lr=torch.tensor(0.05)))
            train(opt, a, b)
            show(opt.defaults["ahead_k"], opt.param_groups[0]["lr"])
        show(issubclass(optim.AdamW, optim.Adam), isinstance(opt._base, optim.Adam), isinstance(opt._base, SGD))
    """,
    "a rate that is a tensor": """
        a, b = parameters()
        rate = torch.tensor(0.1)
        opt = Ahead(optim.Adam([a, b], lr=rate))
        train(opt, a, b, 2)
        rate.fill_(0.0)
        train(opt, a, b, 1)
    """,
    "states that are loaded and copied": """
        for kind in (optim.NAdam, optim.RMSprop):
            a, b = parameters()
            opt = kind([a, b], lr=0.05)
            train(opt, a, b, 2)
            c, d = parameters()
            other = kind([c, d], lr=0.5)
            other.load_state_dict(copy.deepcopy(opt.state_dict()))
            train(other, c, d, 2)
            e, f, third = pickle.loads(pickle.dumps((a, b, opt)))
            train(third, e, f, 2)
            train(opt, a, b, 2)
            show(Ahead(third).defaults["ahead_k"])
    """,
    "schedules, groups that come later, closures": """
        a, b = parameters()
        opt = optim.AdamW([a], lr=0.05)
        opt.add_param_group({"params": [b], "lr": 0.1})
        schedule = optim.lr_scheduler.StepLR(opt, 1, 0.5)

        def closure():
            opt.zero_grad()
            loss = (a ** 2).sum() + (b ** 2).sum()
            loss.backward()
            return loss

        for _ in range(3):
            show(Ahead(opt).step(closure), schedule.get_last_lr())
            schedule.step()
        show(a, b)
    """,
    "gradients that are none at times, steps that are compiled": """
        for compiled in (False, True):
            a, b = parameters()
            opt = Ahead(SGD([a, b], lr=0.1)) if compiled else optim.Adam([a, b], lr=0.1)
            step = torch.compile(opt.step, backend="eager") if compiled else opt.step
            gradients = [torch.ones(2, 3), torch.ones(2)]
            for count in range(3):
                for i, (p, g) in enumerate(zip((a, b), gradients)):
                    p.grad = None if i == 1 and count < 2 else g
                step()
            show(a, b, a.grad)
    """,
    "what torch has": """
        show("Scalar" in torch.ops.aten._foreach_maximum_.overloads())
        try:
            adds = "Tensor" in torch.ops.aten._foreach_add_.overloads()
        except Exception:
            adds = False
        show(adds)
    """,
    "what it does not take": """
        a, b = parameters()
        for make in (
            lambda: Ahead(optim.Adam([a], lr=-1.0)),
            lambda: optim.Adam([a], betas=(1.0, 0.9)),
            lambda: SGD([a], nesterov=True),
            lambda: optim.RMSprop([a], eps=-1.0),
        ):
            try:
                make()
            except ValueError:
                show("no")
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_optimizers_looked_into(agrees: Callable[..., object], name: str) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), "paddle")


BY_NAME = """
import torch
def make(model, name, **options):
    return getattr(torch.optim, name)(model.parameters(), **options)
class Trainer:
    def __init__(self, model, cfg):
        self.opt = getattr(torch.optim, cfg["name"])([{"params": list(model.parameters())}], lr=cfg["lr"])
    def rate(self):
        return self.opt.param_groups[0]["lr"]
model = torch.nn.Linear(2, 1)
opt = make(model, "AdamW", lr=0.1)
for group in opt.param_groups:
    group["lr"] = 0.05
model(torch.ones(1, 2)).sum().backward()
opt.step()
show(opt.param_groups[0]["lr"], len(opt.param_groups), Trainer(model, {"name": "AdamW", "lr": 0.2}).rate())
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_groups_of_what_is_made_by_a_name(agrees: Callable[..., object], target: str) -> None:
    agrees(BY_NAME, target)


HANDED_ON = """
import torch
from functools import partial
from torch import optim
KINDS = {"sgd": optim.SGD, "adamw": optim.AdamW}
def trained(make, **options):
    a, b = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(1))
    opt = make([{"params": [a], "lr": 0.5}, {"params": b}], **options)
    for _ in range(2):
        opt.zero_grad()
        ((a**2).sum() + (b**2).sum()).backward()
        opt.step()
    return a, b, [group["lr"] for group in opt.param_groups], make
class Trainer:
    kind = optim.Adam
    def __init__(self, kind=optim.SGD):
        self.other = kind
for name in KINDS:
    show(trained(KINDS[name], lr=0.1)[:3])
show(trained(partial(optim.SGD, lr=0.1, momentum=0.9))[:3], trained(Trainer().other, lr=0.1)[:3])
show(trained(Trainer.kind, lr=0.1)[:3], Trainer.kind.__name__, issubclass(trained(Trainer.kind)[3], optim.Optimizer))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_groups_given_to_optimizers_that_are_handed_on(agrees: Callable[..., object], target: str) -> None:
    """Each group keeps its rate; Paddle's own classes pass it over."""
    agrees(HANDED_ON, target)


NAMED = """
import torch
from torch import optim
def made(make):
    w = torch.nn.Parameter(torch.ones(2))
    opt = make([w])
    w.sum().backward()
    opt.step()
    return type(opt).__name__, sorted(opt.state[w]), opt
show(*[made(make)[:2] for make in (lambda p: optim.SGD(p, 0.1, momentum=0.5), lambda p: optim.Adam(p, 0.1))])
first = made(lambda p: optim.SGD(p, 0.1, momentum=0.5))[2]
state = first.state_dict()
again = torch.nn.Parameter(torch.ones(2))
other = optim.SGD([again], 0.1, momentum=0.5)
other.load_state_dict(state)
again.sum().backward()
other.step()
show(again, sorted(other.state[again]), sorted(state["state"][0]))
"""
OF_TENSORS = """
import torch
def smooth(x):
    return (x[..., 1:] - x[..., :-1]).abs().mean()
image = torch.ones(2, 3).requires_grad_(True)
opt = torch.optim.LBFGS([image], max_iter=2)
groups = [{"params": [torch.nn.Parameter(torch.ones(1))], "lr": 0.5}]
groups[0]["lr"] = 0.25
for group in groups:
    group["lr"] *= 2
def closure():
    opt.zero_grad()
    loss = smooth(image) + (image**2).sum()
    loss.backward()
    return loss
show(opt.step(closure), image, groups[0]["lr"], torch.optim.SGD(groups).param_groups[0]["lr"])
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_names_of_optimizers_and_of_what_they_keep(agrees: Callable[..., object], target: str) -> None:
    agrees(NAMED, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_tensors_are_no_groups_that_a_program_keeps(agrees: Callable[..., object], target: str) -> None:
    agrees(OF_TENSORS, target)
