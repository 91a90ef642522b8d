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
    "bounds with a fraction": """
        import torch
        def bounded(x):
            return torch.clamp(x, max=2.5), x.clamp(1, 3), x.clip(0.5)
        show(bounded(torch.arange(5).to(torch.int8)), bounded(torch.arange(4) / 2), bounded(torch.arange(4)))
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


ALL_AND_ANY = """
import torch
from typing import Optional
m = torch.ones(2, 3, dtype=torch.uint8)
m[1, 2] = 0
show(m[0].all(), m.all(dim=1), m.any(dim=0), m.any(), torch.all(m), torch.any(m, 1, keepdim=True))
def first(mask: Optional[torch.ByteTensor] = None):
    return mask[0].all(), mask[:, 2].any()
show(first(m), first(m.bool()))
class Masked(torch.nn.Module):
    def forward(self, x, mask=None):
        if mask is None:
            mask = x.new_ones(x.shape[:2], dtype=torch.uint8)
        if mask.dtype != torch.uint8:
            mask = mask.byte()
        if not mask[0].all():
            raise ValueError("first")
        return x * mask.unsqueeze(-1), mask[:, 0].all()
show(Masked()(torch.ones(2, 3, 2)), Masked()(torch.ones(2, 3, 2), m > 0))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_whether_all_or_any_is_on(agrees: Callable[..., Any], target: str) -> None:
    agrees(ALL_AND_ANY, target)


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
