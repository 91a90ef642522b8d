"""A tensor as a condition holds where it is not 0, also below 0 and for NaN."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_tensors_as_conditions(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch

        low, zero, high = torch.tensor(-1.5), torch.tensor(0.0), torch.tensor([2])
        nothing = None
        flag = torch.tensor(True)

        def told(x):
            if x:
                return "yes"
            return "no"

        show([told(x) for x in (low, zero, high, flag)])
        show(1 if low else 2, not low, not zero, bool(low), bool(zero - 1), bool(high))
        if low and not zero:
            show("both")
        if zero or (low.mul(2) and high):
            show("one")
        if nothing or (flag and (low < 0)):
            show("mixed")
        assert low, "below"
        show([t.item() for t in (low, zero, high) if t], low - zero if low.sum() else zero)
        n = torch.tensor(-3)
        turns = 0
        while n:
            n += 1
            turns += 1
        show(turns, n)
        """,
        target,
    )


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_is_known_to_be_true_or_false_stays(outcome: Callable[..., object], target: str) -> None:
    found = outcome(
        """
        import torch

        x = torch.ones(3)
        if (x > 0).all() and x.sum() > 2:
            show(1)
        """,
        target,
    )
    assert "truth" not in found.converted["program.py"]  # type: ignore[attr-defined]


def test_a_choice_between_values_is_marked(announced: Callable[..., object]) -> None:
    announced("import torch\nlow = torch.tensor(-1.5)\nshow((low or 0) * 2)", "paddle")
