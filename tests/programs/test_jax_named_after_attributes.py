"""Names and attributes that hold one tensor: where an attribute changes, who else has it is named."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from migrate.programs import Outcome

SEEN = {
    "a name of a method": (
        """
        class M:
            def __init__(self):
                self.x = torch.zeros(3)
            def step(self):
                old = self.x
                self.x += 1
                return (self.x - old).sum()
        show(M().step())
        """,
        "old (line N)",
    ),
    "a name beside a buffer": (
        """
        class M(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("x", torch.zeros(3))
            def forward(self, y):
                old = self.x
                self.x.add_(y)
                return old
        show(M()(torch.ones(3)))
        """,
        "old (line N)",
    ),
    "a name beside another's attribute": (
        """
        class M:
            def __init__(self, x):
                self.x = x
        m = M(torch.zeros(3))
        old = m.x
        m.x[0] = 5
        show(old)
        """,
        "old (line N)",
    ),
    "a part of a field": (
        """
        from dataclasses import dataclass
        @dataclass
        class M:
            x: object
        m = M(torch.ones(2))
        old = m.x
        m.x[0] *= 0.25
        show(old)
        """,
        "old (line N)",
    ),
    "two attributes": (
        """
        class M:
            def __init__(self, x):
                self.x = x
                self.y = x
        m = M(torch.zeros(3))
        m.y += 5
        show(m.x)
        """,
        "who has what line N keeps or gives of it",
    ),
    "an object's data": (
        """
        class Tracker:
            def __init__(self, data):
                self.data = data
        class Box:
            pass
        meter, box = Tracker(torch.ones(1)), Box()
        box.x = meter.data
        box.x.copy_(0.5)
        show(meter.data)
        """,
        "meter.data, whose tensor it lies in,",
    ),
    "two fields": (
        """
        from dataclasses import dataclass
        @dataclass
        class M:
            x: torch.Tensor
            y: torch.Tensor
        z = torch.zeros(3)
        m = M(z, z)
        m.y += 5
        show(m.x)
        """,
        "who has what line N keeps or gives of it",
    ),
    "a method that is given it": (
        """
        class M:
            def fill(self, t):
                self.x = t
            def bump(self):
                self.x += 1
        def run(m, z):
            m.fill(z)
            m.bump()
            return z
        show(run(M(), torch.zeros(2)))
        """,
        "who has what line N keeps or gives of it",
    ),
    "a function that is given it": (
        """
        def fill(box, t):
            box.x = t
        class Box:
            pass
        box, z = Box(), torch.zeros(2)
        fill(box, z)
        box.x += 1
        show(z)
        """,
        "who has what line N keeps or gives of it",
    ),
    "a tuple that is taken apart": (
        """
        class M:
            def __init__(self, ts):
                self.x, self.y = ts
        z = (torch.zeros(2), torch.ones(2))
        m = M(z)
        m.x += 1
        show(z)
        """,
        "who has what line N keeps or gives of it",
    ),
    "by its name": (
        """
        class M:
            def __init__(self, **words):
                self.__dict__.update(words)
        z = torch.zeros(2)
        m = M(x=z)
        m.x += 1
        show(z)
        """,
        "who has what line N keeps or gives of it",
    ),
    "items that are one tensor": (
        """
        grid = [[torch.zeros(2)] * 2 for _ in range(2)]
        grid[0][0] += 1
        show(grid)
        """,
        "the other items (line N), which are the same tensor,",
    ),
    "what may be it": (
        """
        z = torch.ones(2)
        v = z is None or z
        v[...,] = 0.5
        show(z)
        """,
        "z (line N)",
    ),
}


@pytest.mark.parametrize("name", SEEN)
def test_who_else_has_it_is_named(name: str, outcome: Callable[..., Outcome]) -> None:
    body, who = SEEN[name]
    found = outcome("\n        import torch\n" + body, "jax")
    assert found.verdict == "warned", str(found)
    text = re.sub(r"line \d+", "line N", found.converted["program.py"])
    assert f"torch changes it for {who} too" in text


def test_who_has_the_object_finds_the_new_one(agrees: Callable[..., Outcome]) -> None:
    found = agrees(
        """
        import torch
        class M:
            def __init__(self, x):
                self.x = x
                self.y = x.clone()
        def step(m: M):
            old = m.x.clone()
            m.x += 1
            new = m.x
            return new - old, m
        m = M(torch.zeros(3))
        other = m
        change, same = step(m)
        other.y *= 2
        hs = [torch.zeros(2) for _ in range(2)]
        hs[0] += 1
        show(change, other.x, m.y, same.x, hs)
        """,
        "jax",
    )
    assert "# migrate" not in found.converted["program.py"]


def test_another_file(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        {
            "boxes.py": """
                class Box:
                    def fill(self, t):
                        self.x = t
                    def bump(self):
                        self.x += 1
            """,
            "program.py": """
                import torch
                from boxes import Box
                box, z = Box(), torch.zeros(2)
                box.fill(z)
                box.bump()
                show(z)
            """,
        },
        "jax",
    )
    assert found.verdict == "warned", str(found)
    assert "who has what line 5 of program.py keeps or gives of it" in found.converted["boxes.py"]
