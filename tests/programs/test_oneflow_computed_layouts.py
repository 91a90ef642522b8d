"""What is computed of a transposed tensor lies as that does in torch: reshaping it copies. Sums of single elements."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

PROGRAMS = {
    "operators and functions": """
        x = torch.linspace(-1, 1, 6).view(2, 3)
        a = torch.tanh(x.permute(1, 0))
        b = a.contiguous()
        b += 1
        c = 2 + x.mT
        d = c.flatten()
        d[0] = 7.0
        e = [x.t() * 2][0]
        f = e.reshape(-1)
        f.zero_()
        g = -x.t()
        h = g.ravel()
        h[1] = 5
        show(a, b, c, d, e, f, g, h)
    """,
    "in one piece": """
        x = torch.linspace(-1, 1, 6).view(2, 3)
        d = x * 2
        e = d.flatten()
        e[0] = 9
        n = x[:1].t() * 2
        f = n.flatten()
        f[0] = 8
        show(d, e, n, f)
    """,
    "sums of elements": """
        x = torch.ones(4)
        outs = [x.unfold(-1, 1, 1)]
        sums = [f for f in (t[0, 0].sum() for t in outs)]
        outs[0] *= 2
        weight = torch.tensor([0.773, 1.663])
        loss = torch.unbind(weight)[1].sum()
        weight.data -= 0.1
        show(sums, loss)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees("import torch\n" + dedent(program), "oneflow")
