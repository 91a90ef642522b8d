"""A tensor that holds integers in one call, and in another what is not known, meets one of floating-point numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
import torch
def scaled(x: torch.Tensor, by: torch.Tensor):
    return x * by.unsqueeze(0)
def open_ended(x: torch.Tensor, by: torch.Tensor):
    return scaled(x, by)
show(scaled(torch.ones(2), torch.tensor([2, 3])))
show(open_ended(*[torch.ones(2), torch.tensor([0.5, 1.5])]))
def counted(x, by=2):
    return (x == 2) * by
show(counted(torch.tensor([1, 2])) * torch.tensor(0.5), counted(torch.tensor([2]), 3) + torch.tensor(0.25))
def picked(x: torch.Tensor, whole: bool):
    return ~(x[1] if whole else x[1].var() > 0.5)
some = torch.arange(4)
first = some[1].var() if some.dtype == torch.float32 else some[1]
show(~first, picked(some, True))
called = {"it": open_ended}["".join(["i", "t"])]
show(called(torch.ones(2), torch.tensor([4, 5])))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_agrees(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)


ASKED = """
import torch
class Empty:
    def __init__(self):
        self.value = 0.0
class Kept(Empty):
    def __init__(self, value):
        self.value = value
    def some(self):
        return self.value.any()
    def cast(self):
        return self.value.long()
kept = Kept(torch.tensor([1.663, 2.5]))
show(kept.some() / 2, kept.some() + 1, kept.cast() / 2, kept.cast() * 0.5)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_methods_of_what_is_a_tensor_at_times(agrees: Callable[..., object], target: str) -> None:
    agrees(ASKED, target)
