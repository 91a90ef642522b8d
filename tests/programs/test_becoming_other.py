"""A tensor that a function makes another than it was, while its caller holds what it was made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAMS = {
    "data": """
        import torch
        def put(q, y):
            q.data = y
        def use():
            p = torch.arange(4.0)
            q = p.flatten()
            put(q, torch.zeros(2))
            return p, q
        show(use())
    """,
    "data, of what it is": """
        import torch
        def double(q):
            q.data = q.data * 2
        p = torch.arange(4.0)
        q = p.view(4)
        double(q)
        show(p, q)
    """,
    "a shape, by a function in a function": """
        import torch
        def turn(q):
            q.unsqueeze_(0)
        def outer(q):
            turn(q)
            return q
        p = torch.arange(4.0).reshape(2, 2)
        q = p.detach()
        r = outer(q)
        show(p, q, r)
    """,
    "parts that take all of a short axis": """
        import torch
        x = torch.tensor([0.317])
        y = x
        part = y[::2]
        y.data = y * 2.0
        z = torch.arange(6.0).view(3, 2)
        corner, row = z[::2, 0:1], z[1:2]
        z.data = z * 2.0
        show(x, part, z, corner, row)
    """,
    "one axis is not turned": """
        import torch
        for turned in (torch.arange(3).t(), torch.arange(3).permute(0)):
            ten = turned * 2
            same = ten.contiguous()
            same.data = same * 0.3
            show(ten)
    """,
    "read behind it in one line": """
        import torch
        def turned(a):
            held = a.clone()
            return held[...].t_(), held
        held = torch.ones(2, 3)
        show(turned(torch.ones(1, 2)), held[...].swapaxes_(0, 1), held.detach().unsqueeze_(0), held)
    """,
    "by keyword, in a method": """
        import torch
        class Setter:
            def set(self, value, to):
                to.data = value
        p = torch.ones(3)
        q = p.reshape(-1)
        Setter().set(value=torch.zeros(1), to=q)
        show(p, q)
    """,
    "what a function gives": """
        import torch
        def same(x):
            return x.view_as(x)
        def make(x):
            return x.view(x.shape)
        def flat(x):
            return x.flatten()
        x = torch.arange(4.0)
        y = same(x)
        y.data = torch.zeros(2)
        show(x, y)
        a = torch.arange(4.0)
        b = make(a)
        b.data = torch.zeros(3)
        show(a, b)
        c = torch.arange(4.0)
        d = flat(c)
        d.data = torch.zeros(3)
        show(c, d)
    """,
    "what functions and methods give, however far": """
        import torch
        class Holder:
            def __init__(self, x):
                self.x = x
            def whole(self):
                return self.x[...]
            def shaped(self):
                return self.x.view(-1)
        def twice(x):
            return same(x)
        def same(x):
            return x.view_as(x)
        def two(x):
            return x.view_as(x), x.sum()
        h = Holder(torch.arange(4.0))
        w = h.whole()
        w.unsqueeze_(0)
        show(h.x, w)
        w = h.shaped()
        w.data = torch.zeros(2)
        show(h.x, w)
        x = torch.arange(4.0)
        y = twice(x)
        y.data = torch.zeros(2)
        show(x, y)
        x = torch.arange(4.0)
        y, s = two(x)
        y.data = torch.zeros(2)
        show(x, y)
        x = torch.arange(4.0)
        def by(t):
            u = t.view_as(t)
            return u
        y = by(x)
        x.data = torch.zeros(2)
        show(x, y)
    """,
    "what is prepared": """
        import torch
        import torch.nn as nn
        def prep(x):
            return x.reshape(-1, 4)
        def clean(x):
            return x.detach()
        def whole(x):
            return x[...]
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.l = nn.Linear(4, 2)
            def forward(self, x):
                return self.l(prep(x))
        net = Net()
        with torch.no_grad():
            net.l.weight.fill_(0.1); net.l.bias.zero_()
        x = torch.ones(2, 4)
        y = prep(x)
        y.requires_grad_()
        show(x.requires_grad, y.requires_grad)
        z = clean(x)
        z.requires_grad_()
        show(x.requires_grad)
        net(z).sum().backward()
        show(z.grad)
        q = torch.ones(3)
        w = whole(q)
        w.unsqueeze_(0)
        show(q, w)
        w = clean(q)
        w.unsqueeze_(0)
        show(q, w)
        k = (lambda v: v.view(3))(q)
        k.data = torch.zeros(2)
        show(q, k)
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., Any], program: str, target: str) -> None:
    agrees(program, target)
