"""Copies that objects keep of what a caller changes; parts and arrays of what is not known, changed item by item."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAMS = {
    "the data of what is a copy here": """
        import torch

        class Holder:
            def __init__(self, x): self.w, self.v = x.chunk(2)
            def keep(self): self.k = self.w.data
        x = torch.zeros(4)
        h = Holder(x); h.keep(); h.k.mul_(3); h.k += 2; show(x, h.w)
    """,
    "by a method": """
        import torch

        class Holder:
            def __init__(self, x): self.w = x.split(2)[0]
            def keep(self): self.k = self.w.data
            def bump(self): self.k.add_(1)
        x = torch.zeros(4)
        h = Holder(x); h.keep(); h.bump(); show(x, h.w)
    """,
    "a caller changes what a constructor was given": """
        import torch

        class Holder:
            def __init__(self, x): self.w = x.chunk(2)[0]
        x = torch.zeros(4)
        h = Holder(x); x += 1; show(h.w)
    """,
    "a caller changes what a function was given": """
        import torch

        class Holder: pass
        def fill(h, t): h.w = t.expand(2, 4)
        x = torch.zeros(4)
        h = Holder(); fill(h, x); x += 1; show(h.w)
    """,
    "a view": """
        import torch

        class Holder: pass
        def fill(h, t): h.w = t.view(-1)
        x = torch.zeros(4)
        h = Holder(); fill(h, x); x += 1; show(h.w)
    """,
    "an array of what is not known, by items": """
        import torch

        def get(d, *path):
            for p in path: d = d[p]
            return d
        d = {"a": {"b": torch.zeros(4), "c": 3}, "e": [torch.zeros(4), 2, "x"]}
        x = get(d, "a", "b"); a = x.numpy(); a[0] = 5; show(x)
    """,
    "by an array's methods": """
        import torch

        def get(d, *path):
            for p in path: d = d[p]
            return d
        d = {"a": {"b": torch.zeros(4), "c": 3}, "e": [torch.zeros(4), 2, "x"]}
        x = get(d, "a", "b"); a = x.numpy(); a[0] = 5; show(x)
        x = get(d, "a", "b"); a = x.numpy(); a += 5; show(x)
        x = get(d, "a", "b"); a = x.detach().cpu().numpy(); a += 5; show(x)
        x = get(d, "a", "b"); a = x.numpy(); a.sort(); show(x)
    """,
    "of an attribute": """
        import torch

        def get(d, *path):
            for p in path: d = d[p]
            return d
        class C:
            def __init__(self, t): self.t = t
            def f(self):
                a = self.t.numpy()
                a[0] = 9
                return self.t
        d = {"a": {"b": torch.ones(4), "c": 3}, "e": [torch.zeros(4), 2, "x"]}
        show(C(get(d, "a", "b")).f())
    """,
    "by a mask in a function": """
        import torch

        def get(d, *path):
            for p in path: d = d[p]
            return d
        def clear(x):
            a = x.numpy()
            a[a > 0] = -1
            return x
        d = {"a": {"b": torch.ones(4), "c": 3}, "e": [torch.zeros(4), 2, "x"]}
        x = get(d, "a", "b"); show(clear(x), x)
    """,
    "of what came from a device": """
        import torch

        def get(d, *path):
            for p in path: d = d[p]
            return d
        d = {"a": {"b": torch.zeros(4), "c": 3}, "e": [torch.zeros(4), 2, "x"]}
        x = get(d, "a", "b")
        a = x.cpu().numpy()
        a.fill(3)
        show(x)
    """,
}
TOLD = {
    "a row of a part of what is not known": """
        import torch

        def get(d, *path):
            for p in path: d = d[p]
            return d
        d = {"a": {"b": torch.zeros(4, 4), "c": 3}, "e": [torch.zeros(4), 2, "x"]}
        x = get(d, "a", "b")
        x.tensor_split(2)[0][0] = 3; show(x)
    """,
    "of a chunk": """
        import torch

        def get(d, *path):
            for p in path: d = d[p]
            return d
        d = {"a": {"b": torch.zeros(4, 4), "c": 3}, "e": [torch.zeros(4), 2, "x"]}
        x = get(d, "a", "b"); x.chunk(2)[0][0] = 4; show(x)
    """,
    "of a split": """
        import torch

        def get(d, *path):
            for p in path: d = d[p]
            return d
        d = {"a": {"b": torch.zeros(4, 4), "c": 3}, "e": [torch.zeros(4), 2, "x"]}
        x = get(d, "a", "b"); x.split(2)[0][0] = 5; show(x)
    """,
    "of hsplit": """
        import torch

        def get(d, *path):
            for p in path: d = d[p]
            return d
        d = {"a": {"b": torch.zeros(4, 4), "c": 3}, "e": [torch.zeros(4), 2, "x"]}
        x = get(d, "a", "b"); x.hsplit(2)[0][0] = 8; show(x)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")


@pytest.mark.parametrize("program", TOLD.values(), ids=TOLD)
def test_is_told(outcome: Callable[..., Outcome], program: str) -> None:
    found = outcome(program, "paddle")
    assert found.verdict in {"agrees", "warned"}, str(found)
    assert found.torch.error is None
