"""Integers where Paddle's and OneFlow's functions take floating-point numbers alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

INTEGERS = """
    import torch

    x = torch.tensor([1, 2, 3, 0])
    m = torch.tensor([[1, 2, 3, 4], [2, 1, 5, 5]])
    show(torch.nan_to_num(x), x.int().nan_to_num(), torch.nan_to_num(x > 2))
    show(torch.trapezoid(x), torch.trapz(x, dx=2), torch.trapezoid(x.int(), x), torch.trapezoid(x.float(), x))
    show(torch.cumulative_trapezoid(x), torch.cumulative_trapezoid(x.float(), x))
    show(torch.cov(m), m.cov(), torch.cov(m.int(), correction=0), torch.cov(m, correction=2))
    show(torch.special.entr(x), torch.special.entr(-x.int()), torch.special.entr(x > 2))
"""
# What two vectors are reduced to has no axes: Paddle's norm over an axis of that reads stray memory.
WITHOUT_AXES = """
    import numpy as np
    import torch
    import torch.nn.functional as F

    a, b = torch.tensor([1.0, 2.0]), torch.ones(2, 3)
    near = F.cosine_similarity(a, a, dim=-1)
    show(F.normalize(near, dim=1 - 1), F.normalize(F.pairwise_distance(a, a + 1), dim=0))
    show(F.normalize(torch.linalg.vecdot(a, a), dim=0), F.normalize(torch.linalg.vector_norm(a, dim=0), dim=0))
    show(F.normalize(F.cosine_similarity(b, b + 1), dim=0), F.cosine_similarity(b, b, 0))
    best, ids = torch.max(torch.from_numpy(np.linspace(1, 3)), 0)
    show(F.normalize(best, dim=1 - 1), F.normalize(best, dim=0))
    tick = lambda value: value
    show(F.normalize(tick(sum(one for one in [1, best])), dim=tick(1) - 1))
    show(F.normalize(torch.linalg.vector_norm(b, 2, 1), dim=0))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_integers(agrees: Callable[..., Any], target: str) -> None:
    agrees(INTEGERS, target)


def test_norms_of_what_has_no_axes(agrees: Callable[..., Any]) -> None:
    agrees(WITHOUT_AXES, "paddle")
