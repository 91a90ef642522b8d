"""What is of 8 bits in one call and of floating-point numbers in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAMS = {
    "a parameter": """
        import torch
        def sums(x):
            return x.sum(), torch.sum(x, dim=0), x.sum(0, keepdim=True), x.sum(dtype=torch.float32)
        for x in (torch.tensor([200, 255], dtype=torch.uint8), torch.tensor([1.5, 2.0]), torch.tensor([True, True])):
            show(sums(x))
        show(sums(torch.tensor([100, 100], dtype=torch.int8)))
    """,
    "an attribute": """
        import torch
        class Mask:
            def __init__(self, kept):
                self.kept = kept
            def total(self):
                return self.kept.sum() + torch.sum(self.kept)
        show(Mask(torch.ones(300, dtype=torch.uint8)).total(), Mask(torch.ones(3)).total())
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_sums_do_not_overflow(agrees: Callable[..., Any], program: str) -> None:
    agrees(program, "paddle")


def test_sums_of_what_is_known_stay_plain(agrees: Callable[..., Any]) -> None:
    ran = agrees(
        """
        import torch
        def sums(x):
            return x.sum(), x.sum(0)
        show(sums(torch.ones(2, 2)), sums(torch.tensor([1, 2])), torch.ones(3, dtype=torch.uint8).sum())
        """,
        "paddle",
    )
    assert "paddle_helpers" not in ran.converted["program.py"]
