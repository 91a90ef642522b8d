"""Sums, means and deviations of what has no axes, and functions of two tensors whose dtypes differ."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import torch
"""

PROGRAMS = {
    "sums that are no views": """
        def block(h, w):
            s = h.sum()
            m = torch.mean(w)
            h -= 0.5
            w.mul_(3)
            return s, m


        show(block(torch.tensor(2.0), torch.tensor(4.0)), block(torch.ones(2), torch.ones(2)))


        def grow(v):
            total = v.mean()
            total += 1
            return total, v


        for x in (torch.tensor(1.0), torch.ones(3)):
            show(globals()["grow"](x), grow(x))
    """,
    "deviations": """
        p = torch.ones(2).requires_grad_()
        p.std().backward()
        show(p.grad, torch.tensor(0.5).std(), torch.tensor(0.5).var(), torch.ones(1).std())
        q = torch.tensor([[1.0, 2.0], [1.0, 5.0]], requires_grad=True)
        (q.std(0) * torch.tensor([1.0, 2.0])).sum().backward()
        show(q.grad, q.std(1, unbiased=False), torch.std(q, dim=0, keepdim=True), q.std(unbiased=True))
        show(torch.std_mean(q, 0), q.std((0, 1)))
    """,
    "a number that is a sum at times": """
        def combine(x, weight: torch.Tensor, s=None):
            if s is None:
                s = x.sum()
            return weight * s


        show(combine(torch.ones(3), torch.arange(3)), combine(torch.ones(3), torch.arange(3), 2))
    """,
    "losses of integers beside floats": """
        import torch.nn.functional as F

        a, i = torch.linspace(1, 1.5, 3, requires_grad=True), torch.arange(3)
        show(F.mse_loss(i, a), F.mse_loss(target=torch.tensor(2.5), input=i), F.l1_loss(a, i))
        show(F.smooth_l1_loss(a, i, beta=0.5))
    """,
    "two dtypes": """
        a, i, z = torch.tensor([1.0, -2.0]), torch.arange(2), torch.tensor(-0.0)
        d = torch.tensor([1.0, -1.0], dtype=torch.float64)


        def f(x, y):
            return torch.copysign(x, y), torch.atan2(x, y), x.copysign(2), x.atan2(y)


        show(f(a, d), f(i, a), f(d, a), f(i, i), f(a, z), f(torch.tensor(2.0), d), f(i, z), f(d, z))
        show(torch.hypot(a, d), a.hypot(d), torch.xlogy(a.abs(), d.abs()), torch.xlogy(a.abs(), 2))
        show(torch.xlogy(2, d.abs()), torch.ldexp(a, i), torch.heaviside(a, z), torch.xlogy(i, a.abs()))
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")
