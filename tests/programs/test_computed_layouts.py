"""What is computed of a transposed tensor lies as that does in torch: reshaping it copies. Sums of single elements."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

TARGETS = ("paddle", "oneflow")
PROGRAMS = {
    "windows and diagonals": """
        x = torch.linspace(-1, 1, 18).view(3, 3, 2)
        windows = x[0].unfold(0, 2, 1).sigmoid()
        whole = windows.contiguous()
        windows.masked_fill_(windows > 0.1, 1.5)
        corners = x.diagonal() + 1
        line = corners.reshape(-1)
        line += 1
        last = x.unfold(-1, 2, 1).exp()
        flat = last.reshape(-1)
        flat += 1
        inner = torch.diagonal(x, dim1=0, dim2=1).abs()
        kept = inner.contiguous()
        kept.zero_()
        rows = x.diagonal(dim1=1, dim2=2) * 2
        held = rows.ravel()
        held += 1
        show(x, windows, whole, corners, line, last, flat, inner, kept, rows, held)
    """,
    "differences, what is put in order, one of several results": """
        m = torch.arange(6.0).view(3, 2)
        tmp = m.rot90().diff()
        tmp[0] = 0.5
        whole = tmp.contiguous()
        tmp.floor_()
        x, places = m.t().sort(1)
        y = x.contiguous()
        x += 1
        z = torch.sort(m.t(), dim=1).values
        w = z.reshape(6)
        z += 1
        n = torch.nn.functional.normalize(m.t(), dim=1)
        flat = n.reshape(6)
        n += 1
        f = m.t().index_fill(0, torch.tensor([0]), 3.0)
        line = f.flatten()
        f.zero_()
        a = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
        q, r = torch.linalg.qr(a)
        columns = q.contiguous()
        q.zero_()
        vectors = torch.linalg.eigh(a)[1]
        kept = vectors.reshape(-1)
        vectors.zero_()
        show(tmp, whole, x, y, z, w, n, flat, f, line, q, columns, vectors, kept.abs())
    """,
    "softmax over another axis than the last, as others hold it": """
        import torch.nn.functional as F

        class Box:
            pass
        class M:
            def go(self, a):
                w = F.softmax(a, dim=0)
                return w, a
        def several(a):
            return (2, torch.softmax(a, 0))
        def named(a):
            y = F.softmax(a, 0)
            return {"y": y}
        h = torch.eye(3)
        out, extra = several(h)
        box = Box()
        box.x = extra
        box.x.flatten()[0] = 0.5
        one = named(h)["y"]
        flat = one.reshape(-1)
        flat[0] = 0.5
        held = named(h)
        held["y"].view(-1)[1] = 0.5
        w, _ = M().go(h)
        w.view(-1)[0] = 2
        ws = [F.softmax(h, 0) for _ in range(2)]
        for v in ws:
            v.flatten()[0] = 3
        show(extra, one, held, w, ws)
    """,
    "turned by a quarter": """
        view = torch.full((2, 2), 1.5)
        h = view.rot90()
        z = torch.addcmul(h, view, h)
        part = z.contiguous()
        z.fill_(0.7)
        a = view.rot90(2)
        b = a.contiguous()
        a.fill_(0.7)
        c = torch.rot90(view, k=3)
        d = c.reshape(-1)
        c.mul_(2)
        show(part, b, c, d)
    """,
    "turned back by another name": """
        import numpy as np
        target = torch.from_numpy(np.linspace(1, 2, 6).reshape(2, 3))
        part = target.T
        frames = [part.t().square(), target.t().T.exp(), target.transpose(0, 1).t() + 1]
        for frame in frames:
            line = torch.reshape(frame, (-1,))
            line[0] = 5.0
        last = frames[-1].reshape(-1)
        last += 1
        show(frames)
    """,
    "rows and columns of it": """
        x = torch.linspace(-1, 1, 6).view(2, 3)
        a, b, c, d = x.T * 2, x.T.exp(), x.t() + 1, x.t().abs()
        row = a[1].contiguous()
        row.mul_(2.0)
        line = b[0].ravel()
        line += 1
        seen = b[2].reshape(-1)
        seen += 1
        upper = c[1:].contiguous()
        upper.zero_()
        y = torch.linspace(-1, 1, 12).view(2, 3, 2)
        e = y.transpose(1, 2).exp()
        inner = e[0].contiguous()
        inner -= 1
        show(x, a, b, c, d, e, row, line, seen, upper, inner)
    """,
    "appended": """
        x = torch.linspace(-1, 1, 6).view(2, 3)
        kept = []
        kept.append(0)
        kept.append(torch.lerp(x.t(), x.t(), 0.3))
        flat = kept[1].contiguous()
        flat /= 1.5
        more = [x.T.exp()]
        more.insert(0, -x.T)
        line = more.pop().reshape(-1)
        line += 1
        show(x, kept, more, line)
    """,
    "given once more": """
        x = torch.linspace(-1, 1, 6).view(2, 3)
        a = 2 * x.t()
        b = a.data.contiguous()
        torch.add(b, 0.3, out=b)
        c = (x.t() + 1).add_(1)
        d = c.mul_(2).detach().reshape(-1)
        d[0] = 9.0
        e = x.t().exp().detach().cpu()
        f = e.contiguous()
        f += 1
        g = x.detach().contiguous()
        g += 1
        show(x, a, b, c, d, e, f, g)
    """,
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
        i = torch.nn.functional.elu(x.mT)
        i.flatten()[0] = 0.7


        def bent(y: torch.Tensor):
            return torch.nn.functional.elu(y)


        part = x.mT
        j = bent(part)
        k = j.flatten()
        k += 2
        show(i, j, k)
        show(a, b, c, d, e, f, g, h)
    """,
    "by Python's function": """
        z = torch.linspace(-1, 1, 6).view(2, 3)
        total = abs(z.swapaxes(1, -2))
        view = total.contiguous()
        torch.exp(total, out=total)
        show(view)
    """,
    "by words, of places": """
        x = torch.eye(3)
        t = torch.add(other=x, input=torch.transpose(x, 0, 1))
        v = t.contiguous()
        t.mul_(1.5)
        feats = torch.nonzero(x).exp()
        head = feats.contiguous()
        feats.sub_(0.5)
        show(v, t, head, feats)
    """,
    "out of a dict, of an object": """
        tail = torch.linspace(1.0, 2.0, steps=4).reshape(2, 2).t()
        groups = {"a": tail, "b": tail + 0.0137}
        row = groups["b"].contiguous()
        torch.nn.init.zeros_(groups["b"])


        class Box:
            def __init__(self, x):
                self.turned = x.t() * 2


        box, kept = Box(torch.ones(2, 3)), {}
        line = box.turned.flatten()
        box.turned.zero_()
        kept["c"] = tail.exp()
        again = kept["c"].reshape(-1)
        kept["c"].fill_(3.0)
        seq = [torch.ones(2)]
        while seq[-1].sum() > 0:
            seq[-1] = seq[-1].sub(0.3)
        sub = seq[-1].contiguous()
        sub.mul_(0.5)
        show(row, line, again, sub)
    """,
    "by methods of a container": """
        scores = torch.ones(4, 2)
        alias = scores.movedim(0, 1)
        cache = dict(input=alias.abs(), other=alias + 1)
        flat = cache.get("input").contiguous()
        flat.mul_(0.5)
        kept = {"a": scores.t() * 3}
        part = kept.get("a").reshape(-1)
        part += 1
        parts = [scores.t().exp()]
        whole = parts[-1]
        last = parts.pop().flatten()
        last.zero_()
        show(cache, kept, part, whole, last)
    """,
    "by another name": """
        e = torch.ones(2, 3).t() * 2
        flat = e.reshape(-1)
        row = flat[1:3]
        row += 1
        f = torch.ones(2, 3).t().exp()
        line = f.flatten()
        other = line
        other.fill_(1.2)
        show(e, flat, f, line)
    """,
    "made like it, of two": """
        x = torch.ones(2, 3)
        made = torch.zeros_like(x.t())
        flat = made.reshape(-1)
        flat += 1
        most = torch.maximum(x.t(), x.t() * 2)
        row = most.flatten()
        row.mul_(3)
        full = torch.full_like(x.mT, 2.0)
        full.contiguous().add_(1)
        show(made, flat, most, row, full)
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
    "softmax over another axis than the last": """
        import torch.nn.functional as F


        def scores(q):
            return F.log_softmax(torch.stack([q, q]), dim=0)


        a = scores(torch.arange(3.0))
        b = a.reshape(-1)
        a.fill_(0.5)
        c = torch.softmax(torch.arange(6.0).view(2, 3), 0)
        d = c.flatten()
        d[0] = 9
        e = F.softmax(torch.zeros(2, 3, 2))
        f = e.reshape(-1)
        e.sqrt_()
        g = torch.zeros(2, 2).softmax(dim=0)
        h = g.ravel()
        h += 1
        show(a, b, c, d, e, f, g, h)
    """,
    "a field of a dataclass": """
        from dataclasses import dataclass


        @dataclass
        class Batch:
            data: object
            size: object = None


        col = torch.zeros((3, 4)).mT
        args = Batch(col, torch.minimum(col, col))
        alias = args.size.contiguous()
        args.size.clamp_(min=1.5)
        more = Batch(size=col * 2, data=0)
        flat = more.size.reshape(-1)
        more.size.add_(1)
        show(alias, args.size, flat, more.size)
    """,
    "normalize and softmin, under another name too": """
        import torch.nn as nn
        import torch.nn.functional as F

        a = F.normalize(torch.ones(2, 3, 2))
        b = a
        c = b.reshape(-1)
        c[1] *= 1.5
        d = F.normalize(torch.ones(2, 3), p=1.0, dim=0)
        d.flatten().add_(1)
        e = F.softmin(torch.zeros(2, 3), dim=0)
        f = e.view(-1)
        f[2] = 7
        g = F.normalize(torch.ones(2, 3, 2), dim=(0, 1), eps=1e-3)
        h = g.ravel()
        h -= 1
        i = F.gumbel_softmax(torch.zeros(2, 3), dim=0)
        j = i.reshape(-1)
        j.zero_()
        show(a, c, d, e, f, g, h, i, j)
    """,
    "torch's functions": """
        w = torch.linspace(1, 1.5, 12).view(2, 3, 2)
        out = torch.softmax([w][0], 1)
        alias = torch.reshape(out, (-1,))
        out.sin_()
        x = torch.linspace(-1, 1, 6).view(2, 3)
        a = x.t() * 2
        b = torch.flatten(a)
        b += 1
        c = 2 - x.t()
        d = torch.reshape(c, (-1,))
        d.zero_()
        e = torch.ravel(input=c)
        f = torch.ravel(c)
        f += 1
        show(alias, a, b, c, d, e, f)
    """,
    "turned back": """
        x = torch.arange(24.0).reshape(2, 3, 4)
        y = (x[0].t() * 2).t().reshape(-1)
        y.add_(1)
        z = x.transpose(1, 2).exp().transpose(-1, -2) * 2
        w = z.flatten()
        w += 1
        show(y, z, w)
        z = x.transpose(1, 2).exp().transpose(0, 1)
        w = z.flatten()
        w += 1
        show(z, w)
    """,
    "sums of what is handed on": """
        total = torch.logsumexp(torch.stack([torch.ones(2)[1]]), -1)
        cache = {"input": total}
        first = torch.sum(cache.get("input"))
        torch.exp(total, out=total)
        feats = (torch.arange(4) + 0.0137).sum()
        res = [u.view_as(u).mean() for u in [feats]]
        res[0] += res[0]
        show(first, total, feats, res)
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


        def step(x, w):
            s = x.sum()
            torch.nn.ReLU(inplace=True)(w)
            return s


        mean = [row.mean() for row in torch.tensor([[-1.0, -2.0], [3.0, 4.0]])][0]
        show(step(mean, mean))
    """,
    "that loops go through": """
        x = torch.arange(6.0).reshape(2, 3)
        for y in (x.t() + 1, x.t() * 2):
            z = y.reshape(-1)
            z += 1
            show(y, z)
        ys = [part.t() + 1 for part in (x, x * 2)]
        for place, y in enumerate(ys):
            y.flatten().add_(place + 1)
        named = {"a": x.t() + 1}
        for name, y in named.items():
            z = y.ravel()
            z[0] = 9
        for y, w in zip([x.t() + 3], [x]):
            z = y.contiguous()
            z.zero_()
            show(y)
        show(ys, named)
    """,
    "that is unpacked": """
        x = torch.arange(6.0).reshape(2, 3)


        def both(x: torch.Tensor):
            return x.t() + 1, x.t() * 2


        a, b = x.t() + 1, x.t() * 2
        (c, d), e = both(x), x
        for one in (x,):
            a, e = a, e
        for one in (f for f in (a, c)):
            kept = one.reshape(-1)
            kept += 1
        first = b.flatten()
        first[0] = 7
        second = d.flatten()
        second[0] = 8
        show(a, b, c, d, first, second)
    """,
    "that is put into something, or handed on": """
        x = torch.ones(3, 4)
        v = x.t().abs()
        outs = (v, v.contiguous())
        outs[1][2] *= 2
        more = {"a": v.contiguous()}
        more["b"] = {"c": [v.flatten()]}
        more["a"] += 1
        more["b"]["c"][0][0] = 5
        rest = []
        rest.append(v.reshape(-1))
        rest[0][2] = 3


        def add(y):
            y += 1


        class Adding:
            def __call__(self, x, *, z):
                z.mul_(2)

            def both(self, x):
                return x, x.contiguous()


        add(v.contiguous())
        Adding()(1, z=v.reshape(-1))
        same, other = Adding().both(v)
        other += 1
        show(v, same)
    """,
    "that is expanded": """
        base = torch.tensor([1.423])


        def rows(y: torch.Tensor):
            return torch.broadcast_to(y.abs(), (2,))


        a = rows(base)
        b = a.contiguous()
        b.add_(b)
        c = torch.ones(1, 2).abs().expand(3, 2)
        d = c.reshape(-1)
        d += 1
        e = torch.ones(1, 2).expand_as(c).t()
        f = e.contiguous()
        f.mul_(3)
        same = torch.ones(2, 2)
        g = same.expand(2, 2)
        h = g.flatten()
        h += 1
        show(a, b, c, d, e, f, same, g, h)
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees("import torch\n" + dedent(program), target)


HELD = {
    "by a name": """
        z = (x.t() * 2).t()
        w = z.reshape(-1)
        w.mul_(3)
        show(z, w)
    """,
    "before it is turned": """
        m = torch.neg(x.t())
        w = torch.flatten(m.t())
        m.fill_(2)
        show(w)
    """,
    "turned around twice": """
        y = torch.arange(24.0).reshape(2, 3, 4)
        q = y.permute(1, 2, 0).sin()
        q = q.permute(2, 0, 1)
        w = q.reshape(-1)
        w.zero_()
        show(q)
    """,
    "out of a pair, and of a lambda": """
        v = x.transpose(0, 1)
        pair = (v, torch.sigmoid(v))
        part = pair[-1].T
        part.reshape(-1)[0] = 2.0
        scaled = lambda t, s=2: t.movedim(0, 1) * s
        got = scaled(x).t()
        flat = torch.reshape(got, (-1,))
        torch.nn.LeakyReLU(inplace=True)(flat)
        flat.neg_()
        show(pair, got)
    """,
    "viewed": """
        c = (x.t() + 1).t()
        c.view(-1)[1] = 7
        show(c)
    """,
    "of what is compared": """
        pair = [x.t(), x.t() < 2.0]
        low = pair[1].permute(1, 0)
        low.view(-1)[0] = False
        show(pair)
    """,
    "changed at once": """
        b = (x.T + 1).T
        b.flatten().add_(1)
        show(b)
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("program", HELD.values(), ids=HELD)
def test_what_is_turned_back_is_marked(announced: Callable[..., object], program: str, target: str) -> None:
    announced("import torch\nx = torch.arange(6.0).reshape(2, 3)\n" + dedent(program), target)


def test_axes_that_einsum_turns_are_marked(announced: Callable[..., object]) -> None:
    program = """
        import torch
        x = torch.arange(6.0).reshape(2, 3)
        pieces = (torch.einsum("ij,jk->ki", x, torch.eye(3)),)
        row = pieces[-1]
        row.flatten()[0] = 0.5
        show(row)
    """
    announced(dedent(program), "oneflow")


@pytest.mark.parametrize("row", ["for row in picked:\n    row.flatten()[0] = 1.2", "picked[1].flatten()[0] = 1.2"])
def test_rows_of_what_lies_turned_are_marked(announced: Callable[..., object], row: str) -> None:
    program = f"import torch\npicked = torch.arange(12.0).view(2, 3, 2)[:, [0, 1]]\n{row}\nshow(picked)\n"
    announced(program, "oneflow")


def test_what_changes_by_another_name_is_marked(announced: Callable[..., object]) -> None:
    program = """
        import torch
        picked = torch.eye(2)[:, [0, 1]]
        row = torch.reshape(picked, (-1,))
        other = row
        other.fill_(1.2)
        show(picked)
    """
    announced(program, "oneflow")
