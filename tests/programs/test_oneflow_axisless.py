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
    "sums that are no views, of what is not known, and under other names": """
        import numpy as np
        from dataclasses import dataclass


        @dataclass
        class Config:
            data: object


        def f(x):
            y = x
            s, m = y.sum(), torch.mean(x)
            box = [x.mean()]
            x += 1
            return s, m, box


        def g(x):
            s = x.sum()
            s += 1
            return s, x


        for x in (torch.tensor(1.5), torch.ones(2)):
            show(globals()["f"](x), globals()["g"](x))
        show(globals()["g"](np.ones(2)))
        pos = torch.from_numpy(np.linspace(1, 1, 4).reshape(2, 2))
        batch = Config(pos)
        for row in batch.data:
            pos = row[0].mean()
        view = batch.data
        view.add_(pos)
        show(pos)


        def named(x: torch.Tensor):
            y = x
            s = y.sum()
            x += 1
            return s


        show(named(torch.tensor(1.5)), named(torch.ones(2)))


        def grown(total, x):
            x += 1
            return total * 1


        def closed(x):
            s = x.sum()

            def grow():
                x.add_(1)

            grow()
            return s


        def given(x):
            return grown(x.sum(), x)


        for x in (torch.tensor(1.5), torch.ones(2)):
            show(globals()["given"](x), globals()["closed"](x))
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
    "truths that are counted, of what may have no axes": """
        from typing import NamedTuple

        import torch.nn.functional as F


        class Pair(NamedTuple):
            first: torch.Tensor
            second: torch.Tensor


        def step(k):
            return (k.sum(axis=-1) > 0.137).sum(), torch.sum(k.norm(dim=-1) > 0.1)


        def count(box, n):
            found = (box.x > n).sum()
            return -found, found // 2


        class Box:
            pass


        box, other = Box(), Box()
        box.__dict__["x"], other.__dict__["x"] = torch.tensor(0.5), torch.ones(3)
        show(step(torch.tensor(0.3)), step(torch.ones(2)), step(torch.ones(2, 2)), count(box, 0.1), count(other, 0))
        least, place = torch.arange(3).min(dim=0)
        show(place.gt(1).sum(), least.eq(0).sum(), (torch.ones(2, 3).mean(dim=(0, 1)) > 0.1).sum())
        pair = Pair(torch.tensor(0.2), torch.ones(2))
        show((pair[0] > 0).sum(), (pair[-1] > 0).sum(), (torch.ones(3).select(0, 1) > 0).sum())
        show((torch.ones(3) @ torch.ones(3) > 0).sum(), (torch.ones(2)[torch.tensor(1)] > 0).sum())
        parts = {n: part for n, part in enumerate([torch.tensor(1.5).sum(0)])}
        show((parts[0] > 0.1).sum(), F.smooth_l1_loss(torch.FloatTensor([0.7]), torch.tensor(0.5)))
        loss = F.l1_loss(torch.ones(2), torch.zeros(2))
        show((loss > 0.1).sum().item(), torch.sum(F.mse_loss(loss, loss) > 0.1).tolist(), (loss > 0.1).sum())
    """,
    "float32 beside float64": """
        import torch.nn.functional as F

        x, y = torch.tensor([0.5, 2.0]), torch.tensor([1.0, 1.5], dtype=torch.float64)
        w, z = torch.tensor(0.7).double(), torch.tensor(0.7)
        show(torch.where(x > 1, x, w), torch.where(x > 1, y, x), torch.cat([x, w.reshape(1)]), torch.stack([x[0], w]))
        show(torch.maximum(x, y), torch.minimum(w, x), torch.outer(x, y), torch.hstack([x, y]))
        show(F.mse_loss(x, w), F.l1_loss(w, x), F.smooth_l1_loss(x, y), F.smooth_l1_loss(z, x))
        show(F.huber_loss(x, y), F.huber_loss(y, x), F.huber_loss(x, z), F.huber_loss(w, x))


        def late(a, b):
            running = 0.0
            running += b[0]
            return F.mse_loss(target=running, input=a)


        show(late(x, y), late(x, x))
    """,
    "numbers less bytes": """
        import numpy as np

        m = torch.tensor([1, 0, 3], dtype=torch.uint8)


        def late(x):
            return 1.5 - x


        show(1.0 - m, 1 - m, 3.5 - m[0], 1.5 - torch.tensor([2, 0]).byte(), 0.5 - m.clone()[:2])
        show(late(m), late(torch.ones(2)), 1.0 - torch.from_numpy(np.array([2, 0], dtype=np.uint8)))
    """,
    "a table that is given": """
        import torch.nn as nn

        table = nn.Embedding.from_pretrained(torch.linspace(-1, 1, 18).view(6, 3))
        show(table(torch.tensor(1)) % 0.6, table.weight[0] // 0.3, table(torch.arange(2)).shape)
    """,
    "rows that are detached": """
        x = torch.tensor([[0.387, 1.657], [0.757, 0.293]])
        for row in x:
            row.data[0].zero_()
        for n, row in enumerate(x):
            row.detach()[1].add_(n)
        first, second = x
        second.data[1:].mul_(2)
        show(x)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")


def test_products_of_a_vector_and_any_number_of_axes(agrees: Callable[..., object]) -> None:
    program = """
        import types
        import torch
        pair, whole = torch.tensor([1.0, 2.0]), torch.tensor([1, 2])
        def right(x: torch.Tensor): return x @ pair, torch.matmul(x, pair), x.matmul(pair)
        def left(x: torch.Tensor): return pair @ x, torch.matmul(pair, x)
        def counted(x: torch.Tensor): return x @ whole
        shapes = (2,), (2, 2), (3, 2, 2), (2, 1, 2, 2), (2, 1, 1, 2, 2)
        made = {f"x{len(shape)}": torch.arange(torch.Size(shape).numel()).view(shape) for shape in shapes}
        for x in vars(types.SimpleNamespace(**made)).values():
            show(right(x.float()), left(x.float()), counted(x))
        show(torch.ones(2, 2) @ pair, pair @ torch.ones(2, 2))
    """
    agrees(program, "oneflow")


def test_what_an_unknown_index_takes_changes(agrees: Callable[..., object]) -> None:
    program = """
        import types
        import torch
        x = torch.arange(6.0).view(3, 2)
        def raised(x: torch.Tensor, at):
            part = x[at]
            part.add_(1)
            return part
        mask = torch.tensor([True, False, True])
        places = types.SimpleNamespace(a=torch.tensor(True), b=1, c=slice(0, 2), d=mask, e=(0, slice(None)), f=True)
        for at in vars(places).values():
            part = x[at]
            part += 1
            show(x, part, raised(x, at), x)
    """
    agrees(program, "oneflow")
