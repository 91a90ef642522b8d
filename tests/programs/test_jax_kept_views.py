"""Attributes that hold views: JAX's hold copies, and who has what they are of is named where they change."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

BEGIN = """
import torch
query = torch.linspace(1, 1.5, 4)


class Box:
    pass


ns = Box()
"""

PROGRAMS = {
    "of a name": """
        ns.x = query[1]
        ns.x.pow_(2)
        show(query)
    """,
    "by setattr, of what a dict holds": """
        table = {"b": query}
        setattr(ns, "x", table["b"][1])
        ns.x.pow_(2)
        show(query)
    """,
    "by an operator": """
        ns.x = query[1:]
        ns.x += 2
        show(query)
    """,
    "of what another object holds": """
        other = Box()
        other.size = query
        ns.x = other.size
        ns.x.tanh_()
        show(other.size)
    """,
    "under its name": """
        other = Box()
        other.size = query
        ns.__dict__["x"] = other.size
        ns.x += 1.5
        show(other.size)
    """,
    "of what a list holds": """
        ns.x = query
        for part in [ns.x]:
            part.mul_(2)
        kept = [ns.x]
        for part in kept:
            part.mul_(2)
        show(ns.x)
    """,
    "of an attribute": """
        ns.whole = query.clone()
        ns.x = ns.whole.view(2, 2)
        ns.x.mul_(2)
        show(ns.whole)
    """,
    "of what a constructor is given": """
        class Pair:
            def __init__(self, q):
                self.q, self.x = q, None
                self.x = q[1]

            def run(self):
                self.x.pow_(2)
                return self.q


        show(Pair(query).run(), query)
    """,
    "of what is added to itself": """
        def filled(other: torch.Tensor, s=None):
            other.fill_(other.add(other).sum())
            return (0, s)


        got, extra = filled(query)
        show(query)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_who_has_what_a_view_is_of_is_named(announced: Callable[..., object], program: str) -> None:
    announced(BEGIN + dedent(program), "jax")


def test_views_of_what_nobody_else_has_change_as_they_are(agrees: Callable[..., object]) -> None:
    program = """
        import torch


        class Net:
            def __init__(self, n):
                made = torch.zeros(3, n)
                self.row = made[0]
                self.low = torch.ones(4).view(2, 2)

            def step(self):
                self.row.add_(1)
                self.low *= 3
                return self.row, self.low


        show(Net(2).step())
    """
    agrees(dedent(program), "jax")
