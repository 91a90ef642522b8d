"""torch.jit.script: functions and classes run as they stand, with their own errors; layers are compiled."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch
from typing import List


@torch.jit.script
def of_pairs(x: torch.Tensor, rows: List[torch.Tensor]):
    total = torch.zeros(2)
    for i, (row, part) in enumerate(zip(rows, x)):
        total = total + row * part * i
    assert len(rows) == len(x)
    return total


def plain(x):
    return x + 1


class Layer(torch.nn.Module):
    def forward(self, x):
        return x * 2


@torch.jit.script
class Pair:
    def __init__(self, first: int):
        self.first = first


show(of_pairs(torch.ones(2, 2), [torch.ones(2), torch.ones(2) * 2]))
try:
    of_pairs(torch.ones(1, 2), [torch.ones(2), torch.ones(2)])
except Exception as error:
    show("caught")
show(torch.jit.script(plain)(torch.ones(2)), list(map(torch.jit.script(plain), [torch.ones(1)])))
show(torch.jit.script(Layer())(torch.ones(2)), Pair(2).first)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_scripted(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)


def test_no_tracer_stands_before_the_errors_of_a_function(outcome: Callable[..., Outcome]) -> None:
    found = outcome(PROGRAM, "paddle")
    assert found.converted["program.py"].count("@paddle_helpers.script\n") == 2
    assert "to_static" not in found.converted["program.py"]
