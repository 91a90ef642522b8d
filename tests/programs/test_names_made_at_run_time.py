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
    "names that are computed": """
        import torch
        for word, value in (("n", torch.tensor([7, -7])), ("by", torch.tensor([2, 2]))):
            globals()[word] = value
        for number in range(2):
            globals()[f"row_{number}"] = torch.tensor([-7, 7])
        globals().update({"first" + "_one": torch.tensor([-5, 5])}, last=torch.tensor([-9, 9]))
        def f():
            return n // by, row_1 % 4, -first_one, last // 2
        show(n // by, n % by, -n, f())
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_integers_under_names_that_are_made(agrees: Callable[..., Any], program: str) -> None:
    agrees(program, "oneflow")
