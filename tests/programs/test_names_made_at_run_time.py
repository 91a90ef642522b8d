"""Tensors under names that ``type`` and ``globals`` make: OneFlow's operators on integers are looked at there too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAMS = {
    "a class made by type": """
        import torch
        C = type("C", (), {"n": torch.tensor([-7, 7]), "half": lambda self: self.n // 2})
        def f(c):
            return c.n // 2, c.n % 4, -c.n
        show(f(C), f(C()), C().half())
    """,
    "a name that globals is given": """
        import torch
        globals()["n"] = torch.tensor([-7, 7])
        def f():
            return n // 2
        show(n // 2, n % 4, -n, f())
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_integers_under_names_that_are_made(agrees: Callable[..., Any], program: str) -> None:
    agrees(program, "oneflow")
