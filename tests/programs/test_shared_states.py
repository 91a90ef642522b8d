"""One state loaded into several optimizers: torch has them share what it holds, which is said where Paddle does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAMS = {
    "copies": """
        import torch

        import copy
        def make():
            p = torch.nn.Parameter(torch.ones(3))
            return p, torch.optim.Adam([p], lr=0.1)
        p, o = make()
        for _ in range(2):
            o.zero_grad(); (p * torch.arange(3.0)).sum().backward(); o.step()
        state = o.state_dict()
        p1, o1 = make(); p2, o2 = make()
        o1.load_state_dict(copy.deepcopy(state)); o2.load_state_dict(copy.deepcopy(state))
        for k in range(3):
            for q, oo in ((p1, o1), (p2, o2)):
                oo.zero_grad(); (q * (k + 1)).sum().backward(); oo.step()
            show(p1, p2)
        o1.load_state_dict(copy.deepcopy(state)); o1.load_state_dict(o2.state_dict())
    """,
    "into itself": """
        import torch

        p = torch.nn.Parameter(torch.ones(3))
        o = torch.optim.SGD([p], lr=0.1, momentum=0.9)
        def step():
            o.zero_grad(); (p * torch.arange(3.0)).sum().backward(); o.step()
        step(); saved = o.state_dict(); step(); step(); o.load_state_dict(saved); step(); show(p)
    """,
    "of an object": """
        import torch

        class Keeper:
            def __init__(self, o): self.o = o; self.s = None
            def save(self): self.s = self.o.state_dict()
            def back(self): self.o.load_state_dict(self.s)
        p = torch.nn.Parameter(torch.ones(3))
        o = torch.optim.SGD([p], lr=0.1, momentum=0.9)
        k = Keeper(o)
        def step():
            o.zero_grad(); (p * torch.arange(3.0)).sum().backward(); o.step()
        step(); k.save(); step(); step(); k.back(); step(); show(p); k.back(); step(); show(p)
    """,
}
TOLD = {
    "momentum": """
        import torch

        torch.manual_seed(0)
        w0 = torch.ones(3)
        def make():
            p = torch.nn.Parameter(w0.clone())
            return p, torch.optim.SGD([p], lr=0.1, momentum=0.9)
        p, o = make()
        for _ in range(2):
            o.zero_grad(); (p * torch.arange(3.0)).sum().backward(); o.step()
        state = o.state_dict()
        p1, o1 = make(); p2, o2 = make()
        o1.load_state_dict(state); o2.load_state_dict(state)
        for k in range(3):
            for q, oo in ((p1, o1), (p2, o2)):
                oo.zero_grad(); (q * (k + 1)).sum().backward(); oo.step()
            show(p1, p2)
        o.zero_grad(); p.sum().backward(); o.step(); show(p)
    """,
    "Adam": """
        import torch

        def make():
            p = torch.nn.Parameter(torch.ones(3))
            return p, torch.optim.Adam([p], lr=0.1)
        p, o = make()
        for _ in range(2):
            o.zero_grad(); (p * torch.arange(3.0)).sum().backward(); o.step()
        state = o.state_dict()
        p1, o1 = make(); p2, o2 = make()
        o1.load_state_dict(state); o2.load_state_dict(state)
        for k in range(3):
            for q, oo in ((p1, o1), (p2, o2)):
                oo.zero_grad(); (q * (k + 1)).sum().backward(); oo.step()
            show(p1, p2)
        o.zero_grad(); p.sum().backward(); o.step(); show(p)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")


@pytest.mark.parametrize("program", TOLD.values(), ids=TOLD)
def test_is_told(outcome: Callable[..., Outcome], program: str) -> None:
    found = outcome(program, "paddle")
    assert found.verdict == "warned", str(found)
    assert found.torch.error is None
