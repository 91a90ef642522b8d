"""Tensors that change far from where they were named: by fields, chains, functions handed on, what objects keep."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")

REACHED = {
    "a default that stands for another": """
        import torch
        def f(x, y=None):
            y = x if y is None else y
            y += 1
            return y
        x = torch.zeros(2)
        f(x)
        show(x.tolist())
    """,
    "a partial function": """
        import torch
        from functools import partial
        def bump(x, by):
            x += by
            return x
        t = torch.zeros(3)
        f = partial(bump, by=2)
        f(t)
        show(t.tolist())
    """,
    "a function that is handed on": """
        import torch
        def apply(fn, *args):
            return fn(*args)
        def bump(x, y):
            x += y
        t = torch.zeros(3)
        apply(bump, t, 5)
        show(t.tolist())
    """,
    "a function that torch calls": """
        import torch
        from torch.utils.checkpoint import checkpoint
        def fill(rows, by):
            for row in rows:
                row.add_(by)
        class Filler(torch.nn.Module):
            def forward(self, rows, by):
                for row in rows:
                    row.add_(by)
        def forked(x):
            for part in x.tensor_split(2):
                torch.jit.wait(torch.jit.fork(fill, part, 2.0))
            return x
        def checkpointed(x):
            filler = Filler()
            for part in x.tensor_split(2):
                checkpoint(fill, part, 3.0, use_reentrant=False)
                checkpoint(filler, part, 5.0, use_reentrant=False)
            return x
        show(forked(torch.zeros(4)).tolist(), checkpointed(torch.zeros(4)).tolist())
    """,
    "fields of a NamedTuple": """
        from typing import NamedTuple
        import torch
        class P(NamedTuple):
            a: torch.Tensor
            b: torch.Tensor
            n: int = 3
        def f(p):
            a, b, n = p
            a += b
            p[1].add_(n)
            p.a.mul_(2)
        x = torch.ones(3)
        y = x * 2
        f(P(x, y))
        show(x.tolist(), y.tolist())
    """,
    "fields of a namedtuple": """
        from collections import namedtuple
        import torch
        P = namedtuple("P", ["a", "b"])
        def f(p):
            a, b = p
            a += b
        x = torch.ones(3)
        f(P(x, x * 2))
        show(x.tolist())
    """,
    "a class that is gone through": """
        import torch
        class Node:
            def __init__(self, t, nxt=None):
                self.t, self.nxt = t, nxt
            def __iter__(self):
                n = self
                while n:
                    yield n.t
                    n = n.nxt
        a, b = torch.ones(2), torch.ones(2)
        for t in Node(a, Node(b)):
            t += 1
        show(a.tolist(), b.tolist())
    """,
    "chains": """
        import torch
        import itertools
        ps = [torch.ones(2), torch.ones(1)]
        qs = [torch.ones(3)]
        for p in itertools.chain(ps, qs):
            p *= 3
        show([p.tolist() for p in ps + qs])
        for p, q in itertools.zip_longest(ps, qs):
            p += 1
        show([p.tolist() for p in ps])
    """,
    "an optimizer of a chain": """
        import itertools, torch
        from torch import nn
        a, b = nn.Linear(2, 2), nn.Linear(2, 1)
        opt = torch.optim.AdamW(itertools.chain(a.parameters(), b.parameters()), lr=0.1)
        sch = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
        for m in (a, b):
            for p in m.parameters():
                nn.init.constant_(p, 0.5)
        for i in range(2):
            opt.zero_grad()
            b(a(torch.ones(1, 2))).sum().backward()
            opt.step()
            sch.step()
        show(a.weight.tolist(), b.bias.tolist(), opt.param_groups[0]["lr"])
        opt2 = torch.optim.SGD((p for m in (a, b) for p in m.parameters() if p.requires_grad), lr=0.1)
        opt2.zero_grad(); b(a(torch.ones(1, 2))).sum().backward(); opt2.step()
        show(a.weight.tolist())
    """,
    "an attribute that setattr stores": """
        import torch
        weights = torch.full((4,), 0.5)
        class Box:
            pass
        box = Box()
        setattr(box, "x", weights.chunk(2)[0])
        box.x[0] = 1.5
        show(weights)
    """,
    "a layer in place, within a function": """
        import torch
        import torch.nn as nn
        class Pair:
            def __init__(self, x):
                self.x = x
        pair = Pair(torch.tensor([1.0, -0.7]))
        left, right = pair.x.split(1)
        def head(inp):
            nn.LeakyReLU(inplace=True)(inp)
        head(right)
        show(pair.x)
    """,
}

# Results that share memory in torch and are copies in Paddle, where nothing is done about it.
KEPT = {
    "pieces beside the whole": """
        import torch
        class Holder:
            def __init__(self, x):
                self.x = x
                self.parts = x.chunk(2)
            def reset(self):
                self.x.zero_()
        h = Holder(torch.ones(4))
        h.reset()
        show([p.tolist() for p in h.parts])
    """,
    "rows and columns of a buffer": """
        import torch
        class Cache:
            def __init__(self, n):
                self.buf = torch.zeros(n, 2)
                self.rows = list(self.buf.unbind(0))
                self.halves = torch.split(self.buf, 1, dim=1)
            def put(self, i, v):
                self.buf[i] = v
        c = Cache(3)
        c.put(1, torch.tensor([3., 4.]))
        show([r.tolist() for r in c.rows], [h.tolist() for h in c.halves])
        c.halves[0].fill_(7.)
        show(c.buf.tolist())
    """,
    "pieces of a flat buffer": """
        import torch
        from torch import nn
        class Flat(nn.Module):
            def __init__(self, sizes):
                super().__init__()
                self.register_buffer("flat", torch.zeros(sum(sizes)))
                self.views = [v.view(-1, 1) for v in self.flat.split(sizes)]
            def fill(self):
                for i, v in enumerate(self.views):
                    v.add_(i + 1)
        m = Flat([2, 3])
        m.fill()
        show(m.flat.tolist())
        m.flat.mul_(2)
        show([v.tolist() for v in m.views])
    """,
    "a tensor over an array": """
        import torch, numpy as np
        class Buf:
            def __init__(self, n):
                self.arr = np.zeros(n, dtype=np.float32)
                self.t = torch.from_numpy(self.arr)
            def put(self, i, v):
                self.arr[i] = v
        b = Buf(3)
        b.put(1, 5)
        show(b.t.tolist())
        b.t.add_(1)
        show(b.arr.tolist())
    """,
    "a view that a dataclass keeps": """
        from dataclasses import dataclass
        import torch
        weights = torch.arange(2, dtype=torch.float32)
        view = weights.as_strided((2,), (1,))
        @dataclass
        class Config:
            data: object
            size: object
        batch = Config(weights, view)
        v = batch.size
        v[...] -= 1.5
        show(weights)
    """,
    "pieces that a dataclass keeps": """
        from dataclasses import dataclass
        import torch
        mask = torch.zeros(3)
        row = mask
        arr = row.numpy()
        t = torch.from_numpy(arr)
        first, right = t.split(2)
        @dataclass
        class Args:
            data: torch.Tensor
            size: torch.Tensor
            weight: torch.Tensor
        batch = Args(1.5, first, first)
        batch.weight[0] = 1.2
        show(t)
    """,
    "pieces that nobody changes": """
        import torch
        class G:
            def __init__(self, p):
                self.mean, self.logvar = torch.chunk(p, 2, dim=1)
                self.logvar = torch.clamp(self.logvar, -1, 1)
        g = G(torch.ones(2, 4))
        show(g.mean.tolist(), g.logvar.tolist())
    """,
    "what an object gives for an index": """
        import torch
        class Source:
            def __init__(self, value):
                self._value = value
            def __getitem__(self, index):
                return self._value
        u = torch.zeros(3)
        lo, hi = u.chunk(2)
        holder = Source(u)
        holder[0].sub_(1)
        show(lo.tolist())
    """,
    "what reduce gives": """
        from functools import reduce
        import torch
        outs = reduce(lambda p, q: p, [torch.where(v <= 0.6, 1.2, v) for v in torch.arange(3)])
        part = torch.as_tensor(outs)
        part.square_()
        show(outs.item())
    """,
    "pieces that are kept, and what they are of": """
        import torch
        class Stats:
            def apply(self, inp):
                self.parts = inp.tensor_split(2)
                inp += 0.25
        t = Stats()
        x = torch.zeros(4)
        t.apply(x)
        show([p.tolist() for p in t.parts])
    """,
    "pieces of a field and of the tensor itself": """
        from typing import NamedTuple
        import torch
        class Pair(NamedTuple):
            first: torch.Tensor
            second: torch.Tensor
        z = torch.tensor([1.5, 2.5, 3.5])
        item = Pair(first=2.0, second=z)
        lo, k = item.second.split((1, 2))
        left, right = torch.split(z, [1, 2])
        right += k
        show(k.tolist())
    """,
}

ARRAY = "a tensor over an array"
GIVEN = {
    "what an own operator gives": """
        import torch
        class Meter:
            def __init__(self, value):
                self.value = value
            def __add__(self, other):
                return other.chunk(2)
            def __rsub__(self, other):
                return other.chunk(2)
            def step(self):
                self.value.fill_(1.0)
        x = torch.tensor([1.5])
        model = Meter(x)
        before, after = model + x, x - model
        model.step()
        show(before, after)
    """,
    "pieces that a method gives": """
        import torch
        class Meter:
            def __init__(self, value):
                self.value = value
            def parts(self):
                return self.value.chunk(2)
            def step(self):
                self.value[2] = 1.5
        model = Meter(torch.zeros(3))
        r = model.parts()
        model.step()
        show([p.tolist() for p in r])
    """,
}
MARKED = {
    "what dropout hands on": """
        import torch
        import torch.nn.functional as F
        x = torch.arange(4.0)
        y = F.dropout(x, 0.5, training=False)
        y.add_(1)
        show(x.tolist())
    """,
    "what a Dropout layer hands on": """
        import torch
        from torch import nn
        x = torch.arange(4.0)
        m = nn.Dropout(0.5).eval()
        y = m(x)
        y += 1
        show(x.tolist())
    """,
    "pieces of an unknown object's": """
        import torch
        base = torch.linspace(1.0, 2.0, steps=4)
        class Box:
            pass
        box = Box()
        box.__dict__.update({"x": base})
        box.x.split(2)[0].zero_()
        show(base)
    """,
    "rows of an attribute that is expanded": """
        import torch
        a = torch.arange(6).float()
        class Model:
            def __init__(self, value):
                self.value = value
            def widen(self):
                self.total = self.value.expand(2, -1)
            def begin(self):
                self.total[0] = 2.0
        m = Model(a)
        m.widen()
        m.begin()
        show(m.value)
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", [*REACHED, *(name for name in KEPT if name != ARRAY)])
def test_changes_far_away(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees((REACHED | KEPT)[name], target)


def test_arrays_of_objects(agrees: Callable[..., object], announced: Callable[..., object]) -> None:
    agrees(KEPT[ARRAY], "paddle")
    announced(KEPT[ARRAY], "oneflow")


@pytest.mark.parametrize("name", GIVEN)
def test_copies_that_methods_give(agrees: Callable[..., object], name: str) -> None:
    agrees(GIVEN[name], "paddle")


@pytest.mark.parametrize("name", MARKED)
def test_copies_are_marked(announced: Callable[..., object], name: str) -> None:
    announced(MARKED[name], "paddle")
