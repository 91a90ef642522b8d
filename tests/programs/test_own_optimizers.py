"""Optimizers that a program derives from torch's Optimizer: their groups, states and schedules are torch's."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """
import io
import torch
import torch.nn as nn
from torch.optim.optimizer import Optimizer

class Own(Optimizer):
    def __init__(self, params, lr=0.1, momentum=0.9, decay=0.0):
        if lr < 0:
            raise ValueError("a rate below zero")
        super().__init__(params, dict(lr=lr, momentum=momentum, decay=decay))

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            group.setdefault("decay", 0.0)

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["average"] = torch.zeros_like(p)
                state["step"] += 1
                state["average"].mul_(group["momentum"]).add_(p.grad)
                p.mul_(1 - group["decay"])
                p.add_(state["average"], alpha=-group["lr"])
        return loss

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

def failing(make):
    try:
        make()
    except (TypeError, ValueError) as error:
        show(type(error).__name__)
"""
PROGRAMS = {
    "parameters": """
        opt = Own([a, b, c], lr=0.01)
        train(opt)
        show(opt.defaults, len(opt.param_groups), opt.param_groups[0]["lr"], opt.state[b]["step"], opt.state[b])
        show(isinstance(opt, torch.optim.Optimizer), isinstance(opt, Own))
    """,
    "groups with options of their own": """
        opt = Own([{"params": [a], "lr": 0.02, "decay": 0.1, "name": "first"}, {"params": (b, c)}], lr=0.01)
        train(opt)
        show([{k: v for k, v in group.items() if k != "params"} for group in opt.param_groups])
        show(opt.param_groups[1]["lr"], [len(group["params"]) for group in opt.param_groups])
    """,
    "one tensor in a group": """
        train(Own([{"params": a, "lr": 0.02}], lr=0.01))
    """,
    "names and parameters": """
        opt = Own([("a", a), ("b", b)], lr=0.01)
        train(opt)
        show(opt.param_groups[0]["param_names"], opt.state_dict()["param_groups"])
    """,
    "a group added": """
        opt = Own([a], lr=0.01)
        train(opt, 1)
        opt.add_param_group({"params": [b, c], "lr": 0.001})
        train(opt, 2)
        show(len(opt.param_groups), opt.param_groups[1]["momentum"])
    """,
    "what is no parameter": """
        failing(lambda: Own([]))
        failing(lambda: Own(a))
        failing(lambda: Own([1.0]))
        failing(lambda: Own([a * 2]))
        failing(lambda: Own([a], lr=-1.0))
        failing(lambda: Own([{"params": {a}}]))
        failing(lambda: Own([{"params": [a]}, {"params": [b, a]}]))
        failing(lambda: Own([("a", a), b]))
    """,
    "a state": """
        opt = Own([{"params": [a], "lr": 0.02}, {"params": [b, c]}], lr=0.01)
        train(opt)
        state = opt.state_dict()
        show(state["param_groups"], sorted(state["state"]), state["state"][1])
        other = Own([{"params": [a]}, {"params": [b, c]}], lr=0.5)
        other.load_state_dict(state)
        train(other)
        show(other.param_groups[0]["lr"], other.state[c]["step"])
        failing(lambda: Own([a]).load_state_dict(state))
    """,
    "a state saved": """
        opt = Own([a, b, c], lr=0.01)
        train(opt)
        file = io.BytesIO()
        torch.save(opt.state_dict(), file)
        file.seek(0)
        other = Own([a, b, c], lr=0.5)
        other.load_state_dict(torch.load(file))
        train(other)
    """,
    "dense gradients": """
        class Dense(Optimizer):
            def __init__(self, params, lr=0.01):
                super().__init__(params, {"lr": lr})

            @torch.no_grad()
            def step(self, closure=None):
                for group in self.param_groups:
                    for p in group["params"]:
                        if p.grad.is_sparse:
                            raise RuntimeError("sparse gradients are not supported")
                        norm = p.norm(2).clamp(max=1)
                        p.add_(p.grad, alpha=-(group["lr"] * norm).item())

        train(Dense([{"params": [a]}, {"params": [b, c], "lr": 0.02}]))
        inner = torch.optim.SGD(Dense([a, b, c]).param_groups, lr=0.5)
        train(inner)
        show(inner.param_groups[0]["lr"])
    """,
    "a closure": """
        opt = Own([a, b, c], lr=0.01)
        def closure():
            opt.zero_grad()
            value = loss()
            value.backward()
            return value
        show(opt.step(closure), opt.step(closure))
        show(a, b, c)
    """,
    "gradients": """
        opt = Own([a, b], lr=0.01)
        loss().backward()
        opt.zero_grad(set_to_none=False)
        show(a.grad, b.grad)
        opt.zero_grad()
        show(a.grad is None, b.grad is None, c.grad)
    """,
    "a rate set by hand": """
        opt = Own([a, b, c], lr=0.01)
        train(opt, 1)
        for group in opt.param_groups:
            group["lr"] *= 0.5
        train(opt, 1)
        show(opt.param_groups[0]["lr"])
    """,
    "schedules": """
        opt = Own([{"params": [a], "lr": 0.02}, {"params": [b, c]}], lr=0.01)
        schedule = torch.optim.lr_scheduler.StepLR(opt, 2, gamma=0.5)
        train(opt, 5, schedule)
        show(schedule.get_last_lr(), [group["lr"] for group in opt.param_groups], schedule.base_lrs)
        one = Own([a, b, c], lr=0.01)
        schedule = torch.optim.lr_scheduler.LambdaLR(one, lambda epoch: 1 / (epoch + 1))
        train(one, 3, schedule)
        show(schedule.get_last_lr()[0], one.param_groups[0]["lr"])
    """,
    "with hooks": """
        opt = Own([a, b, c], lr=0.01)
        seen = []
        before = opt.register_load_state_dict_pre_hook(lambda o, state: seen.append(sorted(state)))
        after = opt.register_load_state_dict_post_hook(lambda o: seen.append(o.param_groups[0]["lr"]))
        opt.load_state_dict(Own([a, b, c], lr=0.5).state_dict())
        before.remove()
        after.remove()
        opt.load_state_dict(Own([a, b, c], lr=0.7).state_dict())
        show(seen, opt.param_groups[0]["lr"])
    """,
    "that load as torch does, and then do more": """
        class Keeping(Own):
            def load_state_dict(self, state):
                super().load_state_dict(state)
                self.loaded = len(state["state"])

        class Handing(Own):
            def load_state_dict(self, state):
                self.load(state, super().load_state_dict)

            def load(self, state, how):
                how(state)

        one = Keeping([a, b, c], lr=0.01)
        train(one)
        for kind in (Keeping, Handing):
            other = kind([a, b, c], lr=0.5)
            other.load_state_dict(one.state_dict())
            show(other.param_groups[0]["lr"], other.state[a])
            train(other)
    """,
    "over lists of tensors": """
        from torch.optim.optimizer import Optimizer, _default_to_fused_or_foreach

        class Listed(Own):
            @torch.no_grad()
            def step(self, closure=None):
                for group in self.param_groups:
                    held = [p for p in group["params"] if p.grad is not None]
                    grads = [p.grad for p in held]
                    fused, listed = _default_to_fused_or_foreach(held, differentiable=False, use_fused=False)
                    show(fused)
                    lists = [held, grads, [None] * len(held)]
                    grouped = Optimizer._group_tensors_by_device_and_dtype(lists, with_indices=True)
                    for (params, gradients, nothing), places in grouped.values():
                        show(len(params), nothing, places)
                        if any(g.is_sparse for g in gradients):
                            raise RuntimeError("sparse")
                        gradients = torch._foreach_neg(gradients)
                        torch._foreach_maximum_(gradients, -1.0)
                        torch._foreach_add_(params, gradients, alpha=group["lr"])

        train(Listed([a, b, c], lr=0.01))
        show(list(Optimizer._group_tensors_by_device_and_dtype([[a, b]]).values())[0][1])
    """,
    "of one's own": """
        class Further(Own):
            def __init__(self, params, **options):
                Own.__init__(self, params, **options)
                self.count = 0

            def step(self, closure=None):
                self.count += 1
                return super().step(closure)

        class Older(torch.optim.Optimizer):
            def __init__(self, params, lr=0.1):
                torch.optim.Optimizer.__init__(self, params, {"lr": lr})

            def step(self):
                for group in self.param_groups:
                    for p in group["params"]:
                        p.data.add_(p.grad.data, alpha=-group["lr"])

        opt = Further([a, b, c], lr=0.01)
        train(opt)
        show(opt.count)
        train(Older([a, b, c], lr=0.01))
    """,
    "of a network": """
        net = nn.Sequential(nn.Conv1d(2, 3, 1), nn.BatchNorm1d(3), nn.Flatten(), nn.Linear(6, 1))
        for p in net.parameters():
            nn.init.constant_(p, 0.1)
        opt = Own(net.parameters(), lr=0.01)
        for _ in range(2):
            opt.zero_grad()
            net(torch.arange(8.0).reshape(2, 2, 2)).pow(2).sum().backward()
            opt.step()
        show(len(opt.param_groups[0]["params"]), len(opt.state), net(torch.ones(2, 2, 2)))
    """,
    "around another": """
        class Ahead(Optimizer):
            def __init__(self, base):
                self.base, self.param_groups, self.defaults, self.state = base, base.param_groups, {}, base.state
                self.count = 0

            def zero_grad(self):
                show("zero")
                self.base.zero_grad()

            def step(self, closure=None):
                self.count += 1
                return self.base.step(closure)

            def state_dict(self):
                return {"base": self.base.state_dict(), "count": self.count}

            def load_state_dict(self, state):
                self.base.load_state_dict(state["base"])
                self.count = state["count"]

        class Telling(Own):
            def zero_grad(self, set_to_none=True):
                show("zero of its own")
                super().zero_grad(set_to_none)

        def run(opt: torch.optim.Optimizer):
            opt.zero_grad()
            loss().backward()
            opt.step()

        for opt in (Ahead(Own([a, b, c], lr=0.01)), Telling([a, b], lr=0.01)):
            run(opt)
            opt.zero_grad()
            show(a.grad is None)
        opt = Ahead(Own([a, b, c], lr=0.01))
        run(opt)
        state = opt.state_dict()
        show(state["count"], state["base"]["param_groups"])
        opt.load_state_dict(state)
        train(opt)
    """,
    "beside torch's": """
        def made(name, params):
            if name == "own":
                return Own(params, lr=0.01)
            return torch.optim.SGD(params, lr=0.01, momentum=0.9)

        for name in ("own", "torch's"):
            opt = made(name, [{"params": [a]}, {"params": [b, c], "lr": 0.001}])
            train(opt)
            show([group["lr"] for group in opt.param_groups])
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_own_optimizers(agrees: Callable[..., object], name: str) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), "paddle")
