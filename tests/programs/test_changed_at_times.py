"""What changes in place by way of names that hold a tensor at times, and something else at others."""

from __future__ import annotations

from collections.abc import Callable

import pytest


def test_a_function_stores_into_what_is_a_tensor_at_times(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def first_of(values):
            values[0] = 1

        def second_of(values):
            values[1:] = 2

        x = torch.ones(2) * 0.5
        pieces = x.chunk(2)
        first_of(x)
        first_of([3])
        y = torch.ones(2) * 0.5
        row = y is None or y
        halves = y.split(1)
        second_of(row)
        kept = {"y": torch.ones(4) * 0.5}
        table = [kept, kept["y"]]
        quarters = kept["y"].chunk(4)
        first_of(table[1])
        show(pieces, halves, quarters)
        """,
        "paddle",
    )


MADE = """
import torch

def made(y):
    return y() if hasattr(y, "rsub") else y

a = made(torch.full((3,), 0.4))
"""


@pytest.mark.parametrize(
    "change",
    [
        "h = a.view(-1)\np = h.split(1)\na.floor_()\nshow(p)",
        "p = a.expand_as(a)\np.transpose(0, 0).add_(1)\nshow(a)",
    ],
)
def test_views_of_what_is_a_tensor_at_times(outcome: Callable[..., object], change: str) -> None:
    found = outcome(f"{MADE}{change}\n", "paddle")
    assert found.verdict in {"warned", "agrees"}, str(found)  # type: ignore[attr-defined]
    lines = str(found).splitlines()
    assert not [line for line in lines if "#" in line and not line.strip().startswith("#")], lines  # above its line


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_functions_make_by_builtins_is_known(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch

        def magnitude(x):
            return abs(x.movedim(0, 1))

        def total(parts):
            return sum(part.t() for part in parts)

        def squared(x):
            return pow(x.t(), 2)

        more = torch.zeros(2, 3) + 0.25
        a = magnitude(more)
        flat = a.ravel()
        a.zero_()
        b, c = total([more, more]), squared(more)
        show(flat, b.sum(), b * 2, c.mul_(3))
        c = squared(more)
        flat = c.ravel()
        c.zero_()
        show(flat)
        """,
        target,
    )
