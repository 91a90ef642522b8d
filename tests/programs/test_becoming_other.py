"""A tensor that a function makes another than it was, while its caller holds what it was made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAMS = {
    "data": """
        import torch
        def put(q, y):
            q.data = y
        def use():
            p = torch.arange(4.0)
            q = p.flatten()
            put(q, torch.zeros(2))
            return p, q
        show(use())
    """,
    "data, of what it is": """
        import torch
        def double(q):
            q.data = q.data * 2
        p = torch.arange(4.0)
        q = p.view(4)
        double(q)
        show(p, q)
    """,
    "a shape, by a function in a function": """
        import torch
        def turn(q):
            q.unsqueeze_(0)
        def outer(q):
            turn(q)
            return q
        p = torch.arange(4.0).reshape(2, 2)
        q = p.detach()
        r = outer(q)
        show(p, q, r)
    """,
    "read behind it in one line": """
        import torch
        def turned(a):
            held = a.clone()
            return held[...].t_(), held
        held = torch.ones(2, 3)
        show(turned(torch.ones(1, 2)), held[...].swapaxes_(0, 1), held.detach().unsqueeze_(0), held)
    """,
    "by keyword, in a method": """
        import torch
        class Setter:
            def set(self, value, to):
                to.data = value
        p = torch.ones(3)
        q = p.reshape(-1)
        Setter().set(value=torch.zeros(1), to=q)
        show(p, q)
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., Any], program: str, target: str) -> None:
    agrees(program, target)
