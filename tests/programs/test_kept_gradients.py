"""Gradients that somebody holds while they are cleared, or others are set."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")

PROGRAMS = {
    "an optimizer clears": """
        import torch
        from torch import nn
        net = nn.Linear(2, 1)
        with torch.no_grad():
            net.weight.fill_(1.); net.bias.fill_(0.)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        net(torch.ones(1, 2)).sum().backward()
        grads = [p.grad for p in net.parameters()]
        opt.zero_grad()
        show([g.tolist() for g in grads], [p.grad is None for p in net.parameters()])
    """,
    "set to None in a loop": """
        import torch
        w = torch.ones(2, requires_grad=True)
        saved = []
        for i in range(3):
            w.grad = None
            (w * i).sum().backward()
            saved.append(w.grad)
        show([s.tolist() for s in saved])
    """,
    "another is set": """
        import torch
        w = torch.ones(2, requires_grad=True)
        (w * 2).sum().backward()
        g = w.grad
        w.grad = torch.zeros(2)
        show(g.tolist(), w.grad.tolist())
        w.grad = g
        show(w.grad.tolist())
    """,
    "handed out by a function": """
        import torch
        from torch import nn
        net = nn.Linear(2, 1)
        def grads_of(net, x):
            net.zero_grad()
            net(x).sum().backward()
            return {n: p.grad for n, p in net.named_parameters()}
        a = grads_of(net, torch.ones(1, 2))
        b = grads_of(net, torch.zeros(1, 2))
        show(a["weight"].tolist(), b["weight"].tolist())
    """,
    "compared with the last": """
        import torch
        w = torch.ones(2, requires_grad=True)
        opt = torch.optim.SGD([w], lr=0.1, momentum=0.9)
        old = None
        for i in range(3):
            opt.zero_grad()
            (w ** 2).sum().backward()
            if old is not None:
                show((w.grad - old).tolist())
            old = w.grad
            opt.step()
    """,
    "only a number is kept": """
        import torch
        w = torch.ones(2, requires_grad=True)
        (w * 2).sum().backward()
        total = 0
        for p in [w]:
            g = p.grad
            total += g.norm().item()
        w.grad = None
        show(total)
    """,
    "a history": """
        import torch
        from torch import nn
        class Agent:
            def __init__(self):
                self.net = nn.Linear(2, 1)
                with torch.no_grad():
                    self.net.weight.fill_(1.)
                self.history = []
                self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
            def step(self, x):
                self.opt.zero_grad()
                self.net(x).sum().backward()
                self.history.append(self.net.weight.grad)
                self.opt.step()
        a = Agent()
        for i in range(3): a.step(torch.full((1, 2), float(i)))
        show([h.tolist() for h in a.history])
    """,
    "set by hand": """
        import torch
        ps = [torch.ones(2, requires_grad=True), torch.ones(1, requires_grad=True)]
        def backward(k):
            for p in ps:
                p.grad = None
            sum((p * k).sum() for p in ps).backward()
            return [p.grad for p in ps]
        one, two = backward(1.0), backward(3.0)
        for p, a, b in zip(ps, one, two):
            p.grad = (a + b) / 2
        show([p.grad.tolist() for p in ps], [a.tolist() for a in one], [b.tolist() for b in two])
        opt = torch.optim.SGD(ps, lr=0.5)
        opt.step()
        show([p.tolist() for p in ps])
    """,
    "stored ones that others hold": """
        import torch
        class Node:
            grad = None
        def flatten(ps):
            flat = torch.zeros(sum(p.numel() for p in ps))
            at = 0
            for p in ps:
                n = p.numel()
                p.grad = flat[at:at + n].view_as(p)
                at += n
            return flat
        def put(these, g):
            for one in these:
                one.grad = g
        ps = [torch.ones(3, requires_grad=True), torch.ones(2, 1, requires_grad=True)]
        flat = flatten(ps)
        (ps[0].sum() * 2 + ps[1].sum() * 3).backward()
        opt = torch.optim.SGD(ps, lr=0.1)
        opt.step()
        show(flat.tolist())
        flat.zero_()
        (ps[0].sum() + ps[1].sum() * 4).backward()
        opt.step()
        show(flat.tolist(), ps[0].tolist(), ps[0].grad.tolist())
        opt.zero_grad()
        show(flat.tolist(), ps[0].grad)
        t, node = torch.ones(3), Node()
        put([ps[0], node], t)
        held = ps[0].grad
        ps[0].sum().backward()
        show(held.tolist(), t.tolist(), node.grad.tolist())
        ps[0].grad = ps[0].grad
        ps[0].grad = held
        show(ps[0].grad.tolist())
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_kept_gradients(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(PROGRAMS[name], target)
