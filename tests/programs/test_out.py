"""``out=``: the tensor that a result is written into, and what the call gives."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

TARGETS = ("paddle", "oneflow")
HEAD = "import torch\n\na = torch.tensor([[3.0, 1.0], [2.0, 5.0]])\n"
PROGRAMS = {
    "one": """
        b = torch.zeros(2, 2)
        c = torch.exp(a, out=b)
        show(c is b, b)
        torch.add(a, b, out=b)
        torch.matmul(a, a + b, out=b)
        show(a, b)
    """,
    "views": """
        b = torch.zeros(2, 4)
        torch.mm(a, a, out=b[:, :2].t())
        torch.sub(a, 1, out=b[:, 2:])
        show(b)
        torch.sum(a, 0, out=b[0, ::2])
        torch.where(a > 2, a, -a, out=b[:, 1::2])
        show(b)
        tail = b[:, 1]
        torch.exp(tail, out=tail)
        show(b)
    """,
    "another shape": """
        e = torch.empty(0)
        c = torch.cat([a, a], out=e)
        show(c, e, c is e)
    """,
    "several": """
        v, i = torch.zeros(2), torch.zeros(2, dtype=torch.long)
        r = torch.max(a, 0, out=(v, i))
        show(v, i, r[0] is v, r[1] is i)
        torch.sort(a[0], out=(v, i))
        torch.topk(a, 1, dim=1, out=(torch.empty(0), i.view(2, 1)))
        show(v, i)
    """,
    "written between other arguments": """
        b, v, i = torch.zeros(2), torch.zeros(2, 2), torch.zeros(2, 2, dtype=torch.long)
        t = torch.zeros(2, dtype=torch.bool)
        torch.all(a > 1, 1, out=t)
        torch.any(out=t, input=a > 4, dim=0)
        torch.sum(a, out=b, dim=1)
        torch.sort(
            a,
            dim=1,
            out=(v, i),  # places
            stable=True,
        )
        torch.cumsum(a.add(1), out=a, dim=0)
        show(t, b, v, i, a)
    """,
    "none": """
        def f(x, buf=None):
            return torch.matmul(x, x, out=buf)
        b = torch.zeros(2, 2)
        show(torch.mul(a, 2, out=None), f(a), f(a, b) is b, b)
    """,
    "another dtype": """
        k = torch.zeros(2, 2, dtype=torch.float64)
        torch.div(out=k, input=a, other=2)
        show(k)
        try:
            torch.div(a, 2, out=torch.zeros(2, 2, dtype=torch.long))
        except RuntimeError:
            show("raised")
    """,
    "over several lines": """
        k = torch.zeros(2, 2)
        torch.add(
            a,
            1,
            out=k,  # here
        )
        show(k)
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), target)
