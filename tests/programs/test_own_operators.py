"""Operators between a tensor and something else than a tensor."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "an own class on the left": """
        import torch

        class Quat:
            def __init__(self, parts):
                self.parts = parts
            def __mul__(self, other):
                return Quat(self.parts * other)
            def mul(self, other):
                return Quat(self.parts + other.parts + 1)
            def sum(self, axis=0):
                return self.parts.sum(axis) + 100

        q = Quat(torch.ones(2)) * torch.tensor([2.0, 3.0])
        show(q.mul(q).parts, q.sum(0))
    """,
    "an own class on the right": """
        import torch

        class Scaled:
            def __init__(self, by):
                self.by = by
            def __rmatmul__(self, other):
                return Scaled(other.sum().item() * self.by)
            def __rsub__(self, other):
                return torch.mul(other, self.by)
            def __lt__(self, other):
                return [self.by, other]
            def add(self, other):
                return self.by - other
            def __neg__(self):
                return torch.ones(2) * self.by

        x = torch.tensor([2.0, 3.0])
        if {LEFT}:
            s = x @ Scaled(2)
            show(s.add(1), (x - Scaled(3)).sub(1))
        show((-Scaled(5)).mul(2))
    """,
    "through a parameter": """
        import torch

        class Angle:
            def __init__(self, value):
                self.value = value
            def __floordiv__(self, other):
                return Angle(self.value // other + 1)
            def __mod__(self, other):
                return Angle(self.value % other + 1)
            def add(self, other):
                return Angle(self.value + other * 10)

        def turn(a, x: torch.Tensor):
            return ((a // x).add(1), (a % x).add(1))

        one, two = turn(Angle(torch.tensor([7.0, -7.0])), torch.tensor([2.0, 2.0]))
        show(one.value, two.value)
    """,
    "a string on the left": """
        import torch

        loss = torch.tensor(1.25)
        show("%.3f" % loss, "%d" % torch.tensor(3), "%s %s" % ("a", loss.item()))
        fmt = "loss %.2f"
        show(fmt % loss)

        def told(fmt, value):
            return fmt % value

        show(told("%.1f", loss.mul(2)))
    """,
    "a list on the left": """
        import torch
        show([0, 1] * torch.tensor([1, 2]).sum().item())
    """,
    "compared with None": """
        import torch

        x = torch.ones(2)
        show(x != None, x == None, None != x)

        def given(mask=None):
            if mask != None:
                mask = mask.add(1)
            return mask

        show(given(), given(x))
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_operators(agrees, name, target):
    # OneFlow's tensors answer for whatever stands on their right, and raise.
    agrees(PROGRAMS[name].replace("{LEFT}", str(target != "oneflow")), target)
