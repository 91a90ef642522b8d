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


# Of what has no axes at times, or nobody says: OneFlow's keeps its dtype, and a product that of any integers.
OF_ANY = """
import torch

box = {"z": torch.tensor(2.0), "v": torch.tensor([1.0, -1.0]), "b": torch.tensor([True, True]), "o": torch.tensor(True)}
box["c"] = torch.tensor([5, 4]).char()
def of(name): return globals()["box"][name]
def run(name, *given): return globals()[name](*given)
def counted(u: torch.Tensor):
    n = (u > 0).sum().item()
    return (u > 0).sum().item(), [(u > 1).sum().tolist()], f"{(u > 0).sum().item()}", n, (u > 0).sum().item() / 2
def multiplied(u: torch.Tensor): return u.prod(), torch.prod(u), (u != 0).prod(), u.prod(-1), u.float().prod()
def total(u): return u.sum(), torch.sum(u)
for name in "zv": show(run("counted", of(name)), (of(name) > 0).prod(), (of(name) > 0).sum().item())
for name in "zvboc": show(run("multiplied", of(name)))
show(total(torch.tensor(3).char()), total(torch.ones(3)), total(torch.tensor(True)))
"""


def test_counts_and_products_of_any(agrees: Callable[..., object]) -> None:
    agrees(OF_ANY, "oneflow")


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
