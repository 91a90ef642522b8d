"""What clears gradients and fills tensors where it is not known what it is called on."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import math
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
"""

PROGRAMS = {
    "to_dense": """
        class Operator:
            def to_dense(self):
                return torch.ones(2)


        def dense(held):
            return held["x"].to_dense(), held["x"].requires_grad


        x = torch.arange(3.0, requires_grad=True)
        show(x.to_dense() is x, x.to_dense(torch.float64), x.to_dense(dtype=torch.int64))
        show([dense(vars(type("Held", (), {"x": one}))) if one is x else one.to_dense() for one in (x, Operator())])
    """,
    "zero_grad": """
        def train(model, optimizer, steps):
            for i in range(steps):
                optimizer.zero_grad()
                model()
                optimizer.step()


        class T:
            def __init__(self, opt, **kw):
                self.opt = opt
                self.__dict__.update(kw)

            def run(self, f):
                self.opt.zero_grad()
                f()
                self.opt.step()
                self.model.zero_grad()


        a, b = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
        o = [torch.optim.SGD([a, b], lr=0.1, momentum=0.9)]
        n = [0]


        def f():
            n[0] += 1
            (a.sum() + (b.sum() if n[0] == 1 else 0)).backward()


        globals()["train"](f, o[0], 3)
        show(a, b, b.grad)
        m = nn.Linear(1, 1)
        T(o[0], model=m).run(lambda: (a.sum() + m.weight.sum()).backward())
        show(a, m.weight.grad)
    """,
    "fill_": """
        def clear(t):
            t.zero_()


        def fill(t, v):
            t[0].fill_(v)
            return t.fill_(v + 1)


        def init(m):
            m.weight.data.fill_(2.0)
            m.bias.data.zero_()
            for p in m.parameters():
                p.data.zero_()


        x = torch.ones(3, 4)
        globals()["clear"](x[:, 1])
        show(x)
        show(globals()["fill"](x[:, 2:], 5.0), x)
        l = nn.Linear(2, 2)
        globals()["init"](l)
        show(l.weight, l.bias)
    """,
    "bounds of integers, quotients of truth values": """
        def bound(t):
            return t.clamp(-2.0, 2.0), t.clamp(0.5), t.clip(-1.5, 1)


        def half(t):
            return t.div(2), t.div(t)


        x = torch.arange(-3, 4)
        show(globals()["bound"](x), globals()["bound"](x.float()), globals()["half"](x > -9))
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")
