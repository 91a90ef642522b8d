"""fill_ and zero_ of views, whole tensors, parameters and parts of a graph."""

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
    "strided views": """
        x = torch.arange(12.).view(3, 4)
        x[:, 1].zero_()
        x[::2].fill_(7)
        x.t()[2].zero_()
        x.diagonal().fill_(-1)
        show(x)
    """,
    "rows and columns by name": """
        x = torch.arange(12.).view(3, 4)
        v = x[:, 1]
        v.zero_()
        w = x[1]
        w.fill_(5)
        show(x, v.fill_(3), x)
    """,
    "parameters of functions": """
        def clear(t):
            t.zero_()
            return t
        x = torch.arange(12.).view(3, 4)
        clear(x[:, 2]); show(x)
        y = torch.ones(3, requires_grad=True) * 2
        clear(y)
        y.sum().backward()
        show(y)
    """,
    "weights and buffers": """
        m = nn.Linear(3, 2)
        m.weight.data.fill_(1.5)
        m.bias.data.zero_()
        with torch.no_grad():
            m.weight[:, 1].zero_()
            m.weight[0].fill_(9)
            m.bias.fill_(2)
        for p in m.parameters():
            p.data.fill_(.5) if p.dim() == 1 else None
        for n, p in m.named_parameters():
            if "bias" in n:
                p.data.zero_()
        show(m.weight, m.bias)
        class E(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter(torch.empty(3, 2))
                self.register_buffer("mask", torch.ones(3, 3))
                self.reset()
            def reset(self):
                self.w.data.fill_(1)
                with torch.no_grad():
                    self.w[:, 0].zero_()
                self.mask.zero_()
                self.mask[1:, 1].fill_(2)
            def forward(self, x):
                out = x * self.w[0]
                out[:, 1].zero_()
                return out
        e = E()
        x = torch.ones(2, 2, requires_grad=True)
        o = e(x)
        o.sum().backward()
        show(e.w, e.mask, o, e.w.grad, x.grad)
    """,
    "a whole part of a graph": """
        x = torch.ones(2, 3, requires_grad=True); y = x * 2
        y.zero_()
        y.sum().backward()
        show(x.grad)
    """,
    "containers, rows, masks": """
        d = {"a": torch.ones(2, 3).t(), "b": [torch.ones(2, 2).t()]}
        d["a"].zero_()
        d["b"][0].fill_(3)
        show(d)
        x = torch.ones(3, 3)
        for row in x.t():
            row.zero_()
            break
        for r in x:
            r.fill_(4)
            break
        show(x)
        i = 1
        x[i, 1:].fill_(i)
        x[torch.tensor([0, 2]), 1].fill_(99)
        x[x > 3].zero_()
        show(x)
        torch.fill_(x[:, 0], 8)
        torch.zero_(x[:, 2])
        show(x)
        g = torch.zeros(3).fill_(2) + torch.empty(3).zero_()
        show(g)
    """,
    "without axes": """
        x = torch.ones(2, 3)
        show(torch.full((), 2.5), torch.full([], 3, dtype=torch.int64), torch.full(size=(), fill_value=1.0))
        show(torch.full(x.sum().shape, True), torch.where(x > 1, x, torch.full((), -1.0, dtype=x.dtype)))
        show(torch.full([], fill_value=2, dtype=torch.float32, requires_grad=True).requires_grad)
    """,
    "views in a graph": """
        x = torch.ones(2, 3, requires_grad=True); y = x * 2
        y[0].copy_(x[1] * 5)
        y[:, 1].fill_(2)
        y[1, 2].zero_()
        y.sum().backward(); show(x.grad, y)
    """,
    "pieces": """
        x = torch.arange(12.).view(3, 4)
        a, b = x[:, 0], x[0]
        a.zero_(); b.zero_()
        for c in x.split(2, 1):
            c.fill_(3)
            break
        for c in x.unbind(1):
            c.zero_()
            break
        show(x)
        x.view(-1)[::5].fill_(1)
        x.narrow(1, 2, 1).fill_(6)
        show(x)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")
