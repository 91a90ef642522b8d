"""Arrays of numpy's as indices of what may be a strided view, which Paddle's own takes wrongly."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
import numpy as np
import torch
def body(i: torch.Tensor, base: torch.Tensor, at: np.ndarray):
    v = base[:, :, 1::2]
    v[i.numpy()] = 7
    w = base[:, 1:, ::2]
    show(w[:, i.numpy()], w[:, at], v[at])
    w[:, at] = 3
    show(base)
body(torch.tensor([1, 0]), torch.arange(48.0).view(2, 3, 8), np.array([1, 0]))
globals()["".join(["bo", "dy"])](torch.tensor([1, 0]), torch.arange(48.0).view(2, 3, 8), np.array([1, 1]))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_agrees(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
