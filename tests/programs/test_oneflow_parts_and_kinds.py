"""Parts that are detached, tensors made of what numpy holds, and what is not known of dtypes and receivers."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import torch
import torch.nn as nn
import numpy as np
"""

PROGRAMS = {
    "pieces that are detached": """
        import torch
        a = torch.tensor([0.5, 1.5, 2.5])
        low, high = a.tensor_split(2)
        window = a.unfold(0, 2, 1)[1].detach().view(2)
        high.data.view(1)[0] = 9.0
        show(a, low, high, window)
    """,
    "parts that come by an item, a parameter or an attribute": """
        x = torch.arange(12.).view(3, 4)
        def last(h):
            h = h.detach()
            a, b, c, d = h
            for k in h:
                show(k)
            return h.view(2, 2), h[1:], a
        class Keeper:
            def __init__(self, x):
                self.row = x[1]
            def get(self):
                return self.row.detach().unsqueeze(0), self.row.detach().cpu().reshape(2, 2)
        show(last(x[1]), Keeper(x).get(), [r.detach()[1:] for r in x])
        rows, d = list(x), {"a": x[2]}
        show(rows[1].detach()[2:], d["a"].detach()[2:], d["a"].data[1])
        show(x[1].detach().cpu().numpy(), x[2].detach().float().cpu().tolist())
        for r in x:
            nn.init.zeros_({"a": r}["a"].detach()[None])
        show(x)
    """,
    "parts of which nothing is known, handed on by functions": """
        class Box:
            pass
        b = Box()
        x = torch.arange(12.).view(3, 4)
        b.__dict__["x"] = x[1]
        show(b.x.detach()[1:])
        q = []
        for r in x:
            q.append(r)
        show(q[1].detach()[None], q.pop(0).detach()[1], q.pop().detach().view(2, 2))
        def starred(*rows):
            a, b = rows
            return torch.detach(a)[1], b.detach().t()
        def by_word(**words):
            return words["row"].detach()[1]
        def clear(state):
            if isinstance(state, torch.Tensor):
                return state.detach()
            return tuple(clear(s) for s in state)
        show(starred(x[1], x[2]), by_word(row=x[2]))
        a, b = clear((x[1], x[2]))
        show(a[1:], b.view(2, 2))
    """,
    "parts that become parameters, variables and buffers": """
        x = torch.arange(12.).view(3, 4)
        class M(nn.Module):
            def __init__(self, x):
                super().__init__()
                self.register_buffer("b", x[1])
                self.p = nn.Parameter(x[2])
                self.t = nn.Parameter(x[1:].t(), requires_grad=False)
            def forward(self):
                return (self.p[1:] * self.p.view(2, 2)[1].sum()).sum() + self.b.view(2, 2)[1, 1]
        m = M(x)
        opt = torch.optim.SGD(m.parameters(), lr=0.5, momentum=0.9)
        for _ in range(2):
            opt.zero_grad()
            m().backward()
            opt.step()
        show(x, m.p, m.p.grad, m.t[1], m.state_dict()["b"][1:], [v[1:] for v in m.state_dict().values()])
        v = torch.autograd.Variable(x[1], requires_grad=True)
        show(v[1:], v.requires_grad, torch.autograd.Variable(x[2]).view(2, 2), len(list(m.parameters())))
    """,
    "detached parts": """
        x = torch.arange(12.).view(4, 3)
        w = x[1:].detach()
        show(w[0], w[1:], w.t(), w.reshape(-1), w.unsqueeze(0)[0])
        a, b = x.chunk(2)
        d = b.data
        show(d[1], d[:, 1])
        d[0].mul_(2)
        show(x, x[2].detach().tolist(), float(x[1, 1].detach()), x[2].detach() + 1)
        for row in x.unbind(0):
            show(row.detach()[1:], row.data.view(3, 1)[2])
        y = torch.ones(4, requires_grad=True)
        z = (y * torch.arange(4.))[2:]
        k = z.detach()
        show(k.requires_grad, k[1], k.view(2, 1)[1])
        q = y.data[2:]
        q.mul_(3)
        show(y, q[1])
        s = x[2, 1].data
        show(s, s.view(1)[0])
        def f(h):
            out = [p[1:].detach() for p in h]
            return out
        show([o[1] for o in f([x, x + 1])])
    """,
    "numbers of numpy": """
        v = np.array([.5, 1.5])
        show(torch.tensor(v.mean()), torch.tensor(np.float64(.5)), torch.tensor(np.mean(v)), torch.tensor(v[0]))
        show(torch.tensor(v[0], dtype=torch.float32))
        m = v.std()
        show(torch.tensor(m), torch.tensor(m * 2), torch.tensor(np.int32(4)))
        show(torch.tensor(v), torch.tensor(v.sum(axis=0)))
        i = np.arange(6).reshape(2, 3)
        show(torch.tensor(i[0]), torch.tensor(i.sum()))
        show(torch.tensor(i.max(axis=1)), torch.tensor(np.random.RandomState(0).rand(2).mean()))
        w = np.float32(2)
        show(torch.tensor(w), torch.tensor(np.sum(i > 2)), torch.tensor(v.mean(), requires_grad=True) * 2)
    """,
    "Tensor() of an array that stays": """
        b = np.arange(4, dtype=np.float32)
        u = torch.Tensor(b)
        show(u * 2, torch.Tensor([1, 2]), torch.Tensor(2, 3).shape)
    """,
    "indices of sort": """
        def f(x):
            a, b = x.sort()
            return b, x.sort()[1], x.sort(0)[1], x.sort(dim=0, descending=True)[1], x.argsort()
        show(globals()["f"](torch.tensor([3., 1., 2.])))
        def g(x):
            x.sort()
            return sorted(x)
        l = [3, 1, 2]
        show(globals()["g"](l), l)
    """,
    "roll": """
        y = torch.arange(8.).view(4, 2)
        def r(y):
            return y.roll(1, -2)
        show(r(y), y.roll(1, -1), y.roll((1, 1), (-1, -2)), torch.roll(y, 1, -2))
        show(y.roll(-1, -2), y.roll(1), y.roll(1, 0), torch.roll(y, shifts=(2, -1), dims=(0, -1)))
    """,
    "where": """
        c = torch.tensor([True, False])
        i = torch.arange(2)
        show(torch.where(c, i, 0.5), torch.where(c, 1, 0), torch.where(c, 1.5, i), torch.where(c, i, 2))
        def f(x):
            return torch.where(x > 0, x, 0.5), torch.where(x > 0, 0.5, x), torch.where(c, x, 0)
        for k in (i, i + 0.5, c):
            show(globals()["f"](k))
        def g(x: torch.Tensor):
            show(torch.where(x > 0, x, 0.), torch.where(x > 100, 1.0, 0.0), torch.where(x > 0, x, True))
        g(torch.ones(2))
        g(i)
    """,
    "type": """
        x = torch.ones(2)
        show(x.type(), x.type() == "torch.FloatTensor", torch.arange(2).type(x.type()))
        t = x.type()
        show(torch.arange(3).type(t))


        def f(x):
            return x.type()


        show(globals()["f"](torch.ones(2)))
    """,
}

PROGRAMS["Tensor() of a tensor that changes"] = """
        a = torch.arange(4)
        t = torch.Tensor(a)
        t[0] = 7
        show(a, t)
        b = [torch.ones(3)][-1]
        u = torch.Tensor(b)
        b.mul_(2)
        show(u, b)


        def f(x):
            y = torch.Tensor(x)
            y += 1
            return y


        show(f(torch.ones(2)), globals()["f"](torch.ones(2)))
"""
PROGRAMS["sums of truth values as they grow"] = """
        keep = torch.tensor([True, True, False, True]).view(2, 2)
        show(keep.cumsum(1) * torch.tensor(0.5), torch.cumsum(keep, 0) * torch.tensor(0.5), keep.cumprod(0) + 1)
"""
PROGRAMS["minus, signs and squares where the dtype is not known"] = """
        def g(x: torch.Tensor):
            return -x, x.sign(), torch.neg(x), x.square(), torch.square(x), torch.sign(x), -x.abs() + 1, -(x + 1)
        show(g(torch.arange(3)), g(torch.ones(2)))
        y = torch.ones(3, requires_grad=True)
        show(-y, y.sign())
        def s(q, y: torch.Tensor):
            return y << 1, y >> 1
        show(s(1, torch.arange(3)))
"""
PROGRAMS["choices and truths as operands"] = """
        h = torch.FloatTensor([1, 2])
        def f(x):
            return x.any().sum(), (x > 0).all().sum(), x.argmax().sum()
        show(f(h), h.any().sum())
        valid = torch.tensor([False])
        show(torch.where(valid, 1, 0) * torch.tensor(0.5))
        show(torch.where(valid, 2.0, 1), torch.where(valid, 2, 1.5), torch.where(valid, 2.5, 1.5))
        labels = torch.full((3,), 3)
        show(torch.pow(2, labels).sign())
"""
PROGRAMS["sizes beside tensors"] = """
        class R(nn.Module):
            def forward(self, x, H):
                x1, x2 = x.chunk(2, dim=-1)
                return torch.cat((-x2, x1), dim=-1) * -H, -H
        show(R()(torch.ones(2, 4), 3))
"""
PROGRAMS["places of a sort that are counted from the end"] = """
        class Box:
            pass


        ns = Box()
        ns.__dict__["x"] = torch.eye(4)
        show(ns.x.roll(1, -1), ns.x.sort(dim=0, descending=True)[1], ns.x.argsort(0).dtype == torch.int64)
"""
PROGRAMS["integers that wrap, and truth values"] = """
        i, truths = torch.tensor([3, -5, 7, 0, 1, -1]), torch.tensor([True, False])
        show(i ** i, i ** torch.tensor(-3), 3 ** i.abs(), truths * True, True * truths, truths ** True)
        few, small = torch.tensor([200, 100], dtype=torch.uint8), torch.tensor([100, -100], dtype=torch.int8)
        show(few + few, small + small, torch.add(few, few), few.add(small.byte(), alpha=2), few + 100)
        show(torch.tensor(True).cumsum(0), torch.tensor(3, dtype=torch.int32).cumsum(0), torch.tensor(2.5).cumsum(0))
"""

PROGRAMS["filled, under a name that a dict gives"] = """
        fn = lambda v: v[:, 0]
        out = fn(torch.linspace(1, 1.5, 12).view(2, 3, 2))


        class Box:
            pass


        ns = Box()
        ns.__dict__.update(x=out)
        ns.x.fill_(2.0)
        show(out)
"""
PROGRAMS["sums of what is given twice, or is an element at times; kinds of rectified integers"] = """
        grid = torch.tensor(0.597)


        def combine(h: torch.Tensor, w, s=None):
            if s is None:
                s = h
            return (w, s)


        def block(feats: "torch.Tensor", w2: "torch.Tensor", s=None):
            s = feats.sum()
            w2.add_(w2)
            return s


        got, extra = combine(grid, w=3)
        frames = [torch.linspace(1.0, 2.0, steps=4)]
        mapped = [f for f in ((u if False else u[0]).sum() for u in frames)][0]
        torch.nn.init.constant_(mapped, 0.25)
        show(block(extra, extra), frames)
        mask = torch.arange(6)
        nested = mask.relu()
        try:
            chosen = mask
        except AttributeError:
            chosen = nested.numel() * nested
        show(chosen * torch.tensor(0.5), mask.view_as(mask) * torch.tensor(0.5))
"""
PROGRAMS["what a truth without axes picks and a function gives"] = """
        query, second = torch.linspace(-1, 4, 5), torch.linspace(-1, 4, 5)


        def mix(x: "torch.Tensor", w):
            return (1, w[w[0] * 0 == 0])


        def plain(w):
            return w[w[0] * 0 == 0]


        z, more = mix(query, w=query)
        nn.functional.relu_(more)
        again = plain(second)
        again.zero_()
        show(query, more, again, second)
"""
PROGRAMS["what a truth without axes picks of what changes by another name"] = """
        out = torch.vstack([torch.arange(3.0)])
        sums = out.sum(axis=-2)
        t = sums[sums[0] == 0]
        before = sums
        before *= 0.5
        show(t)

        def picked(x: torch.Tensor, k: torch.Tensor):
            found = x[k > 0]
            y = x
            y += 1
            return found

        show(picked(torch.ones(2), torch.tensor(1)), picked(torch.ones(2), torch.ones(2)))
"""

PROGRAMS["arrays of integers beside a number's tensor"] = """
        x = torch.from_numpy(np.arange(4))
        half = torch.tensor(0.5)
        show(x * half, half + x, torch.mul(x, half), x - torch.tensor(1.5), x < torch.tensor(1.5), x[1:] / half)
        show(torch.as_tensor(np.arange(3)) * half, torch.tensor(np.arange(3)) * half, x.view(2, 2) * half.sum())

        class Data:
            def __init__(self):
                self.x, self.scale = torch.from_numpy(np.arange(3)), torch.tensor(0.5)

            def scaled(self):
                return self.x * self.scale

        show(Data().scaled())
"""
PROGRAMS["sums of truth values that are spread"] = """
        b = torch.tensor([[True, False], [True, True]])
        show((b + b[:1]).long(), torch.add(b, b[0]).float(), b.add(b[:1]).int())

        def either(a, c):
            return (a + c).int()

        show(either(b, b[:1]), (b[:1] + b).float())
"""
PROGRAMS["what a body says of a result beyond its annotation"] = """
        counts = torch.tensor(5)

        def same(x: torch.Tensor, y) -> torch.Tensor:
            return y == 2

        found = same(counts, counts)
        show((lambda v: v)(found) / 2)
"""

PROGRAMS["parts that modules are called with"] = """
from torch import nn
class M(nn.Module):
    def forward(self, x):
        return self.first(x) + self.second(x)
    def first(self, x):
        return x.detach()[0]
    def second(self, x):
        y = x.data
        return y[0]
x = torch.arange(6.0).reshape(3, 2)
m = M()
show(m(x[1:]))
def run(m, batch):
    return m(batch)
show([run(m, b) for b in x.reshape(3, 1, 2)])
def second(t):
    y = t.data
    return y[0]
class Deep(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        return self.inner(x[1:])
class Inner(nn.Module):
    def forward(self, x):
        y = x.data
        return second(x) + y[0]
x = torch.arange(6.0).reshape(3, 2)
show(Deep(Inner())(x), second(x[2:]), second(x))
"""
PROGRAMS["operators' methods called by name"] = """
i = torch.tensor([6, 7])
b = i > 6
show(i.__and__(4), i.__or__(8), i.__xor__(1), b.__and__(b), i.__floordiv__(4), i.__mod__(-4))
show(i.__add__(0.5), i.__eq__(6), i.__rsub__(1))
def f(x, y):
    return x.__mul__(y), x.__pow__(2), x.__lshift__(1)
show(f(i, 2))
"""
DIFFERING = {
    "sizes of pooling": """
        layer = nn.AvgPool2d(2)
        show(layer.kernel_size)
    """,
    "no gradient": """
        class Fn(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a * b
            @staticmethod
            def backward(ctx, g):
                a, b = ctx.saved_tensors
                return g * b, None
        x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
        Fn.apply(x, y).sum().backward()
        show(x.grad, y.grad)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")


@pytest.mark.parametrize("program", DIFFERING.values(), ids=DIFFERING)
def test_what_differs_is_announced(outcome: Callable[..., object], program: str) -> None:
    assert outcome(HEAD + dedent(program), "oneflow").verdict == "warned"
