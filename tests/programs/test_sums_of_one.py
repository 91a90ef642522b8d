"""The sum of a tensor without axes has torch's dtype."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_sum_without_axes(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch

        z = torch.tensor(1.5)
        i = torch.tensor(3, dtype=torch.int32)
        show((z > 0.1).sum(), torch.sum(z > 0.1), i.sum(), torch.sum(i), z.sum(), (z > 0.1).sum().item() + 1)

        def count(mask):
            return mask.sum()

        show(count(torch.tensor([True, True])), torch.ones(2, 3, dtype=torch.bool).sum())
        """,
        target,
    )


HANDED_OUT = """
import torch


def total(a):
    return torch.sum(a)


def head(a):
    return a.norm(), total(a), a.mean()


feats = torch.ones(3) * 1.5
part = feats.expand_as(feats).unbind(0)[0]
norm, more, mean = head(a=part)
feats.copy_(torch.zeros(3))
show(norm, more, mean)


def sum_of(x):
    return x.sum()


x = torch.ones(3)
s = sum_of(x[0])
x[0] = 5
show(s, x)
s = sum_of(x[1])
s += 1
show(x, s)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_functions_hand_out_sums_of_their_own(agrees: Callable[..., object], target: str) -> None:
    agrees(HANDED_OUT, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_a_list_picks_keeps_its_axes(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        scores = torch.tensor([[1.913, 0.5]])
        row = scores[[0]][0]
        show([(one > 0.137).sum().item() for one in row], (scores[[0]][:, [1, 0]][0, 0] > 1).sum().item())
        """,
        target,
    )
