"""Pieces that names around functions keep, and what ``.data`` of an attribute is given: who else sees their changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

KEPT = {
    "a dict of the file": """
        import torch
        kept = {}
        def keep(t):
            kept["a"] = t.chunk(2)[0]
        t = torch.arange(4.0)
        keep(t)
        t.add_(1)
        show(kept["a"])
    """,
    "what is expanded, and changes through its array": """
        import torch
        class Meter:
            def take(self, other):
                self.w = other.expand(other.shape)
                self.rows = other.expand_as(torch.zeros(2, 4))
                other.numpy().fill(0.25)
        t = torch.ones(4)
        meter = Meter()
        meter.take(t)
        show(meter.w, meter.rows, t)
    """,
    "which layers change that are told to": """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F


        class Wide:
            def take(self, inp):
                self.wide = inp.expand_as(torch.stack([inp]))


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.act = nn.ReLU(inplace=True)

            def forward(self, inp):
                self.base = inp * 1
                self.kept = self.base.expand(2, 1)
                self.act(self.base)
                return self.kept


        w, v = torch.tensor([-1.3]), torch.tensor([-2.0])
        one, other = Wide(), Wide()
        one.take(w)
        nn.ReLU(inplace=True)(w)
        other.take(v)
        F.relu(v, inplace=True)
        show(one.wide, other.wide, Net()(torch.tensor([-1.5])))
    """,
    "which another function changes": """
        import torch
        kept = {}
        def keep(t):
            kept["a"] = t.chunk(2)[0]
        def change():
            for key, part in kept.items():
                part += 3
        t = torch.arange(1.0, 5.0)
        keep(t)
        change()
        show(t, kept["a"])
    """,
    "a list in it": """
        import torch
        kept = {}
        def keep(t):
            kept.setdefault("a", []).append(t.chunk(2)[0])
        def change():
            kept["a"][0].mul_(3)
        t = torch.arange(1.0, 5.0)
        keep(t)
        change()
        show(t)
    """,
    "a list of the function around": """
        import torch
        def make():
            held = []
            def keep(t):
                held.append(t.split(2)[0])
            def change():
                held[0].mul_(3)
            return keep, change
        t = torch.arange(1.0, 5.0)
        keep, change = make()
        keep(t)
        change()
        show(t)
    """,
    "a parameter": """
        import torch
        def keep(t, store):
            store["a"] = t.chunk(2)[0]
        def change(store):
            store["a"].mul_(3)
        t, kept = torch.arange(1.0, 5.0), {}
        keep(t, kept)
        change(kept)
        show(t, kept)
    """,
    "a global name": """
        import torch
        last = None
        def keep(t):
            global last
            last = t.chunk(2)[0]
        def change():
            last.mul_(3)
        t = torch.arange(1.0, 5.0)
        keep(t)
        change()
        show(t)
    """,
    "pieces of what the file holds": """
        import torch
        flat, kept = torch.arange(1.0, 5.0), []
        def part():
            kept.append(flat.split(2)[0])
        def change():
            flat.mul_(3)
        part()
        change()
        show(kept)
    """,
    "values of an attribute": """
        import torch
        class Store:
            def __init__(self):
                self.kept = {}
            def keep(self, t):
                self.kept["a"] = t.chunk(2)[0]
            def change(self):
                for part in self.kept.values():
                    part.mul_(3)
        store, t = Store(), torch.arange(1.0, 5.0)
        store.keep(t)
        store.change()
        show(t)
    """,
}

DATA = {
    "of an attribute": """
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = torch.nn.Parameter(torch.zeros(3))
            def take(self, y):
                self.w.data = y
        net, y = Net(), torch.ones(3)
        net.take(y)
        y += 1
        show(net.w)
    """,
    "of a parameter": """
        import torch
        def take(w, y):
            w.data = y
        w, y = torch.nn.Parameter(torch.zeros(3)), torch.ones(3)
        take(w, y)
        y += 1
        show(w)
    """,
}


@pytest.mark.parametrize("program", KEPT.values(), ids=KEPT)
def test_pieces_that_are_kept_share_memory(agrees: Callable[..., Any], program: str) -> None:
    agrees(program, "paddle")


@pytest.mark.parametrize("program", DATA.values(), ids=DATA)
def test_what_data_is_given_changes_with_it(agrees: Callable[..., Any], program: str) -> None:
    agrees(program, "paddle")


def test_pieces_that_nobody_changes_stay_plain(agrees: Callable[..., Any]) -> None:
    ran = agrees(
        """
        import torch
        kept = {}
        def keep(t):
            kept["a"] = t.chunk(2)[0]
            out = [t.chunk(2)[1]]
            return out
        x = torch.arange(4.0)
        show(keep(x), kept)
        """,
        "paddle",
    )
    assert "shared" not in "".join(ran.converted.values())
