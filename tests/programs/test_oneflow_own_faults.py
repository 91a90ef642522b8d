"""Where OneFlow itself is wrong, or shares memory where torch copies."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from migrate.programs import Outcome

HEAD = """\
import math
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
"""

PROGRAMS = {
    "no plus before a tensor": """
        x = torch.tensor([1.0, -2.0], requires_grad=True)
        y = 3 - +x * 2
        (+y).sum().backward()
        show(+x, y, x.grad, +torch.tensor([1, 2]), [+row for row in x])
    """,
    "what users met: fills of steps, halves of masks, copies into a state, whole steps of linspace": """
        y = torch.ones(4, 3)
        y[::2].fill_(0)
        y[:, 0].zero_()
        y[1:, 1:].diagonal().fill_(5)
        mask = y > 0
        show(y, mask / 2, (y > 1).sum() / 2, torch.linspace(1, 5, 5, dtype=torch.int64))
        net = nn.Linear(3, 2)
        held = net.weight
        net.state_dict()["weight"].copy_(torch.full((2, 3), 0.25))
        net.state_dict()["bias"].zero_()
        show(held, net(y), torch.ones(2).to("cpu", torch.float64))
    """,
    "powers of integers wrap, however they are written": """
        i, j = torch.tensor([2, 3, -3]), torch.tensor([40, 64])
        small = torch.tensor([46341], dtype=torch.int32)
        show(i ** 40, torch.pow(i, 41), i.pow(2), 3 ** j, torch.pow(3, j), small ** 2)
        k = torch.tensor([1.5, 2.0])
        show(k ** 2, 2 ** k, 2.0 ** i, i ** 2.0, torch.pow(k, i[:2]))
        held = i
        i **= 30
        j **= 20
        show(held, i, j)
    """,
    "operators of integers that come out of a dict, a list or a name": """
        import operator
        ops = {"//": operator.floordiv, "%": operator.mod, "+": operator.add, "&": operator.and_}
        a, b = torch.tensor([-7, 7]), torch.tensor([2, 2])
        show([op(a, b) for op in ops.values()], [op(a, 2) for op in ops.values()], [op(-7, 2) for op in ops.values()])
        f, g = operator.floordiv, operator.mod
        show(f(a, b), g(a, b), list(map(operator.mod, [a], [b])), list(map(g, [a, -7], [b, 2])))
    """,
    "tests of bytes are bytes": """
        u = torch.tensor([1, 0, 2], dtype=torch.uint8)
        show(u.any(), u.all(), torch.any(u), u.any(0), u.view(1, 3).all(dim=1, keepdim=True), u.char().any())


        def f(x):
            return x.any(), x.all(), x.any(dim=0)


        show(f(u), globals()["f"](u))
    """,
    "sums of several dtypes change what others hold": """
        keep = torch.tensor([False, True, False, True]).view(2, 2)
        mask = torch.arange(4).view(2, 2) == 0
        kept = mask
        mask += keep
        i = torch.arange(3)
        held = [i]
        i -= torch.tensor([True, False, True]).long()
        i *= torch.tensor([2, 3, 4], dtype=torch.int32)
        show(kept, mask, held)


        def f(x, y):
            x += y
            return x


        t = torch.zeros(3)
        f(t, torch.arange(3) > 0)
        show(t, f(torch.ones(3), torch.arange(3)), f(keep, keep.t().clone()), keep)
    """,
    "equal elements keep their order, of what has no negative too": """
        x = torch.tensor([1, 0, 1, 0, 1], dtype=torch.uint8)
        show(x.sort(stable=True, descending=True)[1], x.argsort(stable=True, descending=True))
        show(torch.sort(x > 0, stable=True, descending=True)[1], torch.argsort(x > 0, stable=True))
        y = torch.tensor([[2.0, 1.0, 2.0], [1.0, 1.0, 3.0]])
        show(y.sort(dim=1, stable=True)[1], y.sort(dim=0, stable=True, descending=True)[1])
    """,
    "views of everything keep what they are of, where that gets new data": """
        x = torch.tensor([1.5])
        a, b, c, d = x[:], x[...], x[0:], x.t()
        x.data = torch.tensor([9.0])
        show(a, b, c, d, x)
        y = torch.arange(6.0).view(2, 3)
        z = y[:]
        z.add_(1)
        show(y)
        y.data = y * 2
        show(z, y)
        for p in [y]:
            p.data = p.data[:] + 1
        show(y)
    """,
    "copies are copies": """
        x = torch.arange(12.0).view(3, 4)
        show(x.repeat(1, 1).add_(1), x, x.tile(1).add_(1), x, torch.stack([x])[0].add_(1), x)
        y = x.to(torch.float32, copy=True)
        y.add_(1)
        show(x)
        z = torch.tile(x, (1,))
        z.zero_()
        show(x)
    """,
    "picked by one truth value": """
        x = torch.ones(3)
        y, z = x[True], x[x[..., 0] * 0 == 1]
        w = x[x[0] == 1]
        x.add_(1)
        w.mul_(5)
        show(x, y, z, w, x[x > 1], x[False])
    """,
    "diagonals are views": """
        x = torch.arange(12.0).view(3, 4)
        torch.diagonal(x, 1).add_(10)
        show(x)
        x.diagonal(-1).fill_(5)
        show(x)
        show(x.diagonal(1), x.view(3, 2, 2).diagonal(0, 1, 2), x.view(1, 3, 4).diagonal(1, -2, -1))
        x.view(3, 2, 2).diagonal(dim1=-2, dim2=-1).zero_()
        show(x)
        y = torch.ones(3, 4, requires_grad=True)
        (y.diagonal(1) * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
        show(y.grad)
    """,
    "parts of a flat tensor": """
        a, b = nn.Parameter(torch.zeros(2, 2)), nn.Parameter(torch.zeros(3))
        flat = torch.arange(7.0)
        i = 0
        for p in (a, b):
            n = p.numel()
            p.data = flat[i : i + n].view_as(p)
            i += n
        show(a, b, a.view(-1), b.view(-1), a.t(), (a.view(-1) * 2).sum(), torch.cat([a.view(-1), b.view(-1)]))
    """,
    "lengths of packed sequences": """
        from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

        x = torch.arange(12.0).view(2, 3, 2)
        p = pack_padded_sequence(x, torch.tensor([3, 2]), batch_first=True)
        o, l = pad_packed_sequence(p, batch_first=True)
        show(o, l, l.dtype == torch.int64)
        gru = nn.GRU(2, 3, batch_first=True)
        for q in gru.parameters():
            nn.init.constant_(q, 0.1)
        out, h = gru(p)
        o, l = pad_packed_sequence(out, batch_first=True, total_length=4, padding_value=-1.0)
        show(o, h, l)
        for n in l:
            show(x[0, :n])
    """,
    "orthogonal": """
        torch.manual_seed(0)
        w = torch.empty(4, 1)
        nn.init.orthogonal_(w)
        show((w * w).sum())
        w = torch.empty(1, 4)
        nn.init.orthogonal_(w, gain=2)
        show((w * w).sum())
        w = torch.empty(3, 5)
        nn.init.orthogonal_(w)
        show(w @ w.t())
        w = torch.empty(5, 3)
        nn.init.orthogonal_(w)
        show(w.t() @ w)
        w = torch.empty(2, 3, 2, 2)
        nn.init.orthogonal_(w)
        show(w.view(2, -1) @ w.view(2, -1).t())
        w = torch.empty(1, 1)
        nn.init.orthogonal_(w)
        show(w.abs())
    """,
    "products with a zero": """
        x = torch.tensor([2.0, 0.0, 3.0], requires_grad=True)
        x.prod().backward()
        show(x.grad)
        x = torch.tensor([[2.0, 0.0, 3.0], [0.0, 0.0, 1.0], [1.0, 2.0, 4.0]], requires_grad=True)
        x.prod(1).sum().backward()
        show(x.grad)
        x = torch.tensor([[2.0, 0.0, 3.0], [0.0, 0.0, 1.0]], requires_grad=True)
        torch.prod(x, dim=0, keepdim=True).sum().backward()
        show(x.grad)
        x = torch.tensor([2.0, 0.0, 3.0], requires_grad=True)
        x.cumprod(0).sum().backward()
        show(x.grad)
    """,
    "products": """
        x = torch.tensor([[2, 3], [4, 5]])
        show(
            x.prod(),
            x.prod(0),
            torch.prod(x, 1, keepdim=True),
            x.prod(dim=-1),
            torch.prod(x.float()),
            x.prod(dtype=torch.float32),
        )
        b = torch.tensor([True, False])
        show(b.prod(), torch.zeros(0).prod(), torch.zeros(2, 0).prod(1))
    """,
    "vectors and matrices": """
        v, w = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
        m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        show(m @ v, v @ m, m @ m, m.unsqueeze(0) @ v, v @ m.unsqueeze(0), m.view(1, 1, 2, 2) @ v)
    """,
    "numpy's products": """
        x = torch.tensor([1.0, 2.0])
        show(np.pi * x, np.sqrt(2) * x, np.prod([2, 3]) * x, np.float32(2) * x, np.int64(3) - x, np.float32(1) / x)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")


ARRAYS = {
    "from_numpy": "a = np.arange(4.0)\nt = torch.from_numpy(a)\nt.add_(1)\nshow(a)",
    "as_tensor": "a = np.arange(4.0)\nt = torch.as_tensor(a)\nt[0] = 5\nshow(a)",
    "numpy": "t = torch.zeros(3)\nn = t.numpy()\nt.add_(1)\nshow(n)",
}


@pytest.mark.parametrize("program", ARRAYS.values(), ids=ARRAYS)
def test_arrays_are_awaited(agrees: Callable[..., Outcome], program: str) -> None:
    # Whether the array lags behind is chance: that the program waits is not.
    assert "wait_for_tensors()" in str(agrees(HEAD + program, "oneflow"))


def test_is_announced(outcome: Callable[..., Outcome]) -> None:
    program = "p = nn.Parameter(torch.zeros(2))\nv = torch.arange(6.0)\np.data = v[2:4]\nv[2] = 100\nshow(p)"
    assert [site for site in outcome(HEAD + program, "oneflow").sites if site.outcome == "differs"]
