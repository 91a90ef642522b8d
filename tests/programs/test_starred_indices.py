"""Indices with a star in them, and profiles of printing: what monai and ultralytics do while they are imported."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
import warnings
import torch
def f(x: torch.Tensor, parts: list):
    x[(0, *parts)] = 1
    y = torch.zeros(2, 1, 3).expand(2, 2, 3).clone().transpose(0, 1)
    y[(slice(None), *parts)] += 2.0
    z = x.t()
    z[(*parts, 0)] = 5.0
    return x, y, z
show(f(torch.zeros(2, 3), [1]), f(torch.zeros(2, 3), [0]))
for profile in ("default", "short", "full"):
    torch.set_printoptions(profile=profile)
torch.set_printoptions(linewidth=320, precision=4, profile="default")
torch.set_printoptions(precision=2)
warnings.filterwarnings("ignore", category=torch.jit.TracerWarning)
show("set")
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_starred_indices_and_profiles(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
