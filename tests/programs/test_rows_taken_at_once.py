"""Loops over a tensor that becomes another before they end: torch has taken all rows at the start."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

LOOPS = """
    import itertools
    import torch

    def change(x):
        x.data = x.data * 2
        return x

    def both(row):
        change(p)
        return row.clone()

    p = torch.arange(6.0).reshape(3, 2)
    q = p
    seen = []
    for row in p:
        seen.append(row.clone())
        q.data, other = p.data * 2, 1
    for i, row in enumerate(p):
        seen.append(row + i)
        change(p)
    for i, row in zip(torch.arange(3), p):
        seen.append(row + i)
        setattr(p, "data", torch.ones(3, 2) * i)
    for row in itertools.islice(p, 2):
        seen.append(both(row))
    show(seen, p)
    show([both(row) for row in p], {i: both(row) for i, row in enumerate(p)}, list(map(both, p)))
    show(sum(both(row) for row in p), [r for one in [p] for r in one if change(one) is not None])

    seen = []
    for row in p:
        seen.append(row)
        p.unsqueeze_(0)
    p.squeeze_()
    for row in p:
        p.requires_grad_()
        seen.append(row.requires_grad)
    for row in p:
        torch.set_grad_enabled(False)
        seen.append(row.requires_grad)
    torch.set_grad_enabled(True)
    for row in reversed(p.detach()):
        row.zero_()
        seen.append(row)
    show(seen, p, reversed(p).sum(0))
"""
HELD = """
    import torch
    from torch import nn

    def double(x):
        x.data = x.data * 2

    def use(rows):
        for row in rows:
            seen.append(row.clone())
            double(p)

    p = torch.arange(6.0).reshape(3, 2)
    seen = []
    rest = iter(p)
    first = next(rest)
    double(p)
    show(first, next(rest))
    use(iter(p))
    use(p)
    use(row for row in p)
    show(seen)

    class Box:
        def __init__(self, p):
            self.p = p

        def __iter__(self):
            return iter(self.p)

        def change(self):
            self.p.data = self.p.data * 2

        def rows(self):
            for row in self.p:
                yield row.clone()

        def run(self):
            for row in self.p:
                self.change()
                yield row.clone()

    box = Box(nn.Parameter(torch.ones(3, 2)))
    seen = [row.detach() for row in box.run()]
    for rows in (box, box.rows()):
        for row in rows:
            seen.append(row.detach().clone())
            box.change()
    show(seen)

    class Own:
        def __init__(self):
            self.data = [1, 2, 3]

        def __iter__(self):
            return iter(self.data)

    def go(x):
        out = []
        for v in x:
            out.append(v)
            x.data = x.data * 2
        return out

    show(go(Own()), go(torch.ones(2, 2)))
"""
# By another name than that under which it changes.
BY_NAMES = """
    import torch
    from torch import nn
    class N(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("w", torch.arange(4.0).reshape(2, 2))
            self.lin = nn.Linear(2, 2)
            self.plain = torch.arange(4.0).reshape(2, 2)
    def start():
        m = N()
        nn.init.constant_(m.lin.weight, 1.0)
        return m
    def go(m, name):
        seen = []
        for row in m._buffers["w"]:
            seen.append(row.clone())
            m.w.data = torch.zeros(2, 2)
        for row in m.lin._parameters["weight"]:
            seen.append(row.detach().clone())
            m.lin.weight.data = torch.zeros(2, 2)
        for row in getattr(m, name):
            seen.append(row.clone())
            m.plain.data = torch.zeros(2, 2)
        m.w.data = torch.ones(2, 2)
        for i, row in enumerate(m._buffers[name[:0] + "w"]):
            seen.append(row.clone())
            m.w.data = torch.zeros(2, 2)
        m.plain.data = torch.ones(2, 2)
        for row in m.__dict__.get("plain", m.plain):
            seen.append(row.clone())
            m.plain.data = torch.zeros(2, 2)
        m.plain.data = torch.ones(2, 2)
        for row in vars(m)["other"]:
            seen.append(row)
            m.plain.data = torch.zeros(2, 2)
        for row in m.plain:
            seen.append(row.clone())
            getattr(m, name).data = torch.ones(2, 2)
        return seen
    m = start()
    m.other = [1, 2]
    show(go(m, "plain"))
"""
# What is looped over stays as it is: another one changes, a row, or a list's items.
OTHERS = """
    import torch

    def draw(images):
        out = []
        for image in images:
            image = image.clone()
            image.unsqueeze_(0)
            out.append(image)
        return out

    def scale(params):
        for p in params:
            p.data = p.data * 2

    def batches(n, data):
        for i in torch.arange(n):
            yield data[i]

    show(draw(torch.ones(2, 3, 3)))
    held = [torch.ones(2), torch.ones(3)]
    for factor in torch.arange(3):
        scale(held)
    for batch in batches(3, torch.ones(3, 2)):
        show(batch)
    for w in torch.linspace(0, 1, 3):
        q = torch.ones(2)
        q.requires_grad_()
        (q * w).sum().backward()
        show(q.grad)
    show(held)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", [LOOPS, HELD, BY_NAMES], ids=["loops", "held", "by names"])
def test_agrees(agrees: Callable[..., Outcome], program: str, target: str) -> None:
    agrees(program, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_other_loops_stay(agrees: Callable[..., Outcome], target: str) -> None:
    assert "list(" not in agrees(OTHERS, target).converted["program.py"]
