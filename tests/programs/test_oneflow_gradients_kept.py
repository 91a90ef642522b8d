"""Gradients that are cleared, kept, stored and changed by hand; what optimizers do without one."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
"""

PROGRAMS = {
    "asked for after data is stored": """
        net = torch.nn.Linear(2, 3)
        for i, p in enumerate(net.parameters()):
            p.data = torch.linspace(-1, 1, p.numel()).view_as(p) * (i + 1)
        show(torch.autograd.grad((net(torch.ones(4, 2)) ** 2).sum(), list(net.parameters())))
    """,
    "data that is stored": """
        p = torch.ones(2, requires_grad=True)
        (p * 3).sum().backward()
        p.data -= 0.1 * p.grad
        show(p, p.grad)
        p.data *= 2
        p.data **= 2
        show(p, p.grad, p.requires_grad)
        q = nn.Parameter(torch.ones(2))
        (q * 3).sum().backward()
        q.data = q.data - 0.1 * q.grad
        show(q, q.grad)
        q.grad.zero_()
        q.data = torch.zeros(2)
        (q * 2).sum().backward()
        show(q, q.grad)
        x = torch.full((4,), 0.5)
        head = x[1]
        head.data += 0.7
        show(head.view_as(head), x)
        for w in nn.Linear(2, 2).parameters():
            w.data.fill_(1.0)
            (w * 2).sum().backward()
            w.data /= 4
            w.data = w.data + w.grad
            show(w, w.grad)
    """,
    "momentum leaves unused alone": """
        a, b = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
        opt = torch.optim.SGD([a, b], lr=0.1, momentum=0.9, weight_decay=0.1)
        (a + b).sum().backward(); opt.step(); opt.zero_grad()
        show(a.grad, b.grad)
        a.sum().backward(); opt.step()
        show(a, b)
        opt.zero_grad()
        opt.step()
        show(a, b)
    """,
    "Adam leaves unused alone": """
        a, b = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
        opt = torch.optim.Adam([a, b], lr=0.1)
        for i in range(3):
            opt.zero_grad()
            (a * 2 + (b if i == 0 else 0)).sum().backward()
            opt.step()
        show(a, b)
    """,
    "set_to_none": """
        a, b = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
        opt = torch.optim.AdamW([a, b], lr=0.1)
        for i in range(3):
            opt.zero_grad(set_to_none=(i == 0))
            (a * 2 + (b if i == 0 else 0)).sum().backward()
            opt.step()
            show(a.grad is None, b.grad is None)
        show(a, b)
    """,
    "a module's": """
        net = nn.Linear(2, 2)
        net(torch.ones(1, 2)).sum().backward()
        show(net.weight.grad)
        net.zero_grad()
        show(net.weight.grad is None, [p.grad is None for p in net.parameters()])
        net(torch.ones(1, 2)).sum().backward()
        net.zero_grad(set_to_none=False)
        show(net.weight.grad)
    """,
    "optimizers handed on": """
        def clear(optimizer):
            optimizer.zero_grad()
        a = nn.Parameter(torch.ones(2))
        o = torch.optim.RMSprop([a], lr=.1)
        a.sum().backward()
        clear(o)
        show(a.grad)
        o2 = [torch.optim.Adagrad([a], lr=.1)]
        a.sum().backward()
        for q in o2: q.zero_grad()
        show(a.grad is None)
    """,
    "grad by hand": """
        w = nn.Parameter(torch.tensor([1., 2.]))
        (w * w).sum().backward()
        show(w.grad, w.grad.data)
        w.grad.zero_()
        show(w.grad)
        (w * w).sum().backward()
        (w * w).sum().backward()
        show(w.grad)
        w.grad = None
        show(w.grad)
        (w * w).sum().backward()
        w.grad += 1
        show(w.grad)
        w.grad *= 2
        w.grad.data.mul_(2)
        show(w.grad)
        w.grad = torch.zeros(2)
        show(w.grad)
        w.grad.add_(3)
        show(w.grad)
        w.grad.detach_()
        w.grad.zero_()
        show(w.grad)
        w.grad[0] = 5
        show(w.grad)
        g = w.grad
        (w * w).sum().backward()
        show(g)
        w.grad = w.grad * 2
        show(w.grad, g)
        w.grad.clamp_(-1, 3)
        show(w.grad)
        del w.grad
        show(w.grad)
    """,
    "grad stored": """
        w = torch.ones(2, requires_grad=True)
        w.grad = torch.ones(2)
        (w * 3).sum().backward()
        show(w.grad)
        w.grad.data = torch.zeros(2)
        show(w.grad)
        w.grad.copy_(torch.ones(2))
        show(w.grad)
        w.grad = w.grad.clone().clamp(0, .5)
        show(w.grad)
        if w.grad is not None:
            w.grad.data.zero_()
        show(w.grad)
    """,
    "zeros, of what only a sign is taken of": """
        w = torch.tensor(2.0, requires_grad=True)
        signs = torch.linspace(-1, 1.5, 6).requires_grad_()
        torch.copysign(w, signs).sum().backward()
        show(w.grad, signs.grad)
    """,
    "data that is stored to what is not known": """
        class Own:
            def __init__(self, data):
                self.data = data
        net = nn.Linear(2, 1)
        net(torch.ones(1, 2)).sum().backward()
        def swap(things, values):
            for t, v in zip(things, values):
                t.data = v
        own = Own(3)
        def call(f, *a):
            return f(*a)
        call(swap, [own], [4])
        call(swap, list(net.parameters()), [torch.zeros(1, 2), torch.zeros(1)])
        show(net.weight.grad, net.weight, own.data)
        net = nn.Sequential(nn.Linear(2, 1))
        net(torch.ones(1, 2)).sum().backward()
        def go(m, v):
            m.weight.data = v
            m.bias.data = m.bias.data * 2
        def call(f, *a):
            return f(*a)
        call(go, net[0], torch.zeros(1, 2))
        show(net[0].weight.grad, net[0].weight, net[0].bias.grad)
        class Ema:
            def __init__(self, model):
                self.params = [p for p in model.parameters()]
                self.shadow = [p.detach().clone() for p in self.params]
            def apply(self):
                for p, s in zip(self.params, self.shadow):
                    p.data = s * 2
        net = nn.Linear(2, 1)
        def call(f, *a):
            return f(*a)
        e = call(Ema, net)
        net(torch.ones(1, 2)).sum().backward()
        call(e.apply)
        show(net.weight.grad)
    """,
    "data that is stored to items": """
        net = nn.Linear(2, 1)
        net(torch.ones(1, 2)).sum().backward()
        def load(params, state):
            for k in params:
                params[k].data = state[k]
        d = {k: torch.zeros_like(v) for k, v in net.named_parameters()}
        def call(f, *a):
            return f(*a)
        call(load, dict(net.named_parameters()), d)
        show(net.weight.grad, net.weight)
        net = nn.Linear(2, 1)
        net(torch.ones(1, 2)).sum().backward()
        seen = []
        def of(n):
            seen.append(n)
            return net.get_parameter(n)
        def value(n):
            seen.append(n)
            return torch.zeros(1, 2)
        of("weight").data = value("zeros")
        params = [p for p in net.parameters()]
        i = 1
        params[i].data = params[i] * 2
        show(seen, net.weight, net.weight.grad, net.bias.grad)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")
