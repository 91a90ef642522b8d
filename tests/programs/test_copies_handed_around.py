"""Copies that travel: in a container beside what they are of, out of a function, through a generator or a lambda."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAMS = {
    "a container holds both": """
        import torch

        x = torch.arange(6.0).reshape(2, 3)
        parts = [x, x.chunk(2)[0]]
        for part in parts:
            part.mul_(2)
        show(x, parts)
        table = {"whole": x}
        table["wide"] = x.expand(2, 3)
        table["whole"] += 1
        show(table)
    """,
    "a function gives both": """
        import torch

        def both(x):
            return x, x.split(1)[0]

        x = torch.arange(6.0).reshape(2, 3)
        whole, row = both(x)
        whole += 1
        show(whole, row)
    """,
    "a generator gives parts": """
        import torch

        def rows(x):
            for row in x.chunk(2):
                yield row

        x = torch.arange(6.0).reshape(2, 3)
        for row in rows(x):
            row.mul_(2)
        show(x)
    """,
    "a lambda changes a part": """
        import torch

        x = torch.arange(6.0).reshape(2, 3)
        show((lambda t: t.chunk(2)[0].mul_(2))(x), x)
    """,
    "a part or the whole": """
        import torch

        x = torch.arange(6.0).reshape(2, 3)
        y = x.chunk(2)[0] if x.sum() > 0 else x
        y.mul_(2)
        show(x, y)
    """,
    "a property changes what an object holds": """
        import torch

        class Box:
            def __init__(self, x):
                self.state = x

            @property
            def doubled(self):
                self.state *= 2
                return self.state

            def __getitem__(self, index):
                self.state.add_(index)
                return self.state[index]

        x = torch.arange(6.0).reshape(2, 3)
        box = Box(x)
        y = x.expand(2, 3)
        box.doubled
        show(y, box[1])
        z = x.chunk(2)[1]
        show(box[1], z)
    """,
    "a function changes what is around it": """
        import torch

        x = torch.arange(6.0).reshape(2, 3)
        y = x.chunk(2)[0]

        def double():
            x.mul_(2)

        def main():
            double()

        main()
        show(y)

        def row():
            return x.split(1)[1]

        z = row()
        x += 1
        show(z)
    """,
    "a partial changes what it is given": """
        import torch
        from functools import partial

        def scale(by, t):
            t.mul_(by)

        x = torch.arange(6.0).reshape(2, 3)
        y = x.chunk(2)[0]
        twice = partial(scale, 2)
        twice(x)
        show(y)
    """,
    "one of several functions, a bound method": """
        import torch

        x = torch.arange(6.0).reshape(2, 3)
        y = x.chunk(2)[0]
        for change in (lambda t: t.mul_(2), lambda t: t + 1):
            change(x)
        show(y)
        add = x.add_
        z = x.expand(2, 3)
        add(3)
        show(z)
    """,
    "an attribute that is set from outside": """
        import torch

        class Box:
            pass

        x = torch.arange(6.0).reshape(2, 3)
        y = x.chunk(2)[0]
        box = Box()
        box.x = x
        box.x += 1
        show(y)
    """,
    "an array of what may be no tensor": """
        import torch

        x = torch.zeros(4)
        head = x is None or x
        array = head.numpy()
        head += 1
        show(array)
        array *= 3
        show(head)
    """,
    "several broadcast together": """
        import torch
        a, b = torch.arange(3.0), torch.ones(2, 3)
        c, d = torch.broadcast_tensors(a, b)
        b[0, 0] = 5
        a.mul_(2)
        show(c, d, a)
        e = torch.broadcast_tensors(a, a)[0]
        a += 1
        show(e, a)
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_see_what_changes(name: str, agrees: Callable[..., object]) -> None:
    agrees(PROGRAMS[name], "paddle")


def test_what_no_gradient_knows_of_is_not_marked(agrees: Callable[..., Outcome]) -> None:
    found = agrees(
        """
        import torch
        from torch import nn

        p = nn.Parameter(torch.ones(4))
        p.data[1:].mul_(3)
        p.detach().view(2, 2).add_(1)
        (p * 2).sum().backward()
        show(p, p.grad)
        """,
        "paddle",
    )
    assert not [site for site in found.sites if site.outcome in {"marked", "differs"}]
