"""Tensors of one element stored into arrays of numpy's, and tensors that functions of math are given."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
import math
import numpy as np
import torch


def scaled(rewards: np.ndarray, by: torch.Tensor):
    for i, one in enumerate(rewards):
        rewards[i] += 0.5 * by
    rewards[0] = by
    return rewards


class Env:
    def step(self) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(3, dtype=np.float32), np.zeros((2, 3))


def rolled(env: Env, value: torch.Tensor):
    a, b = env.step()
    a[0] = value
    a[-1] += value
    b[1] = value
    b[0, 2] += value
    b[:, 1] = value
    return a, b


one, square = torch.full((1,), 2.0), torch.full((1, 1), 2.0)
show(scaled(np.zeros(3), one), rolled(Env(), one), rolled(Env(), square))
rows = np.zeros((2, 3))
rows[0] = torch.arange(3.0)
rows[0, 1] = torch.ones(1)
rows[1, 1] = torch.ones(1).sum()
kept, other = {0: None}, [None]
kept[0] = other[0] = torch.ones(1)
objects = np.array([None, None])
objects[0] = torch.ones(1)
show(rows, kept[0], other[0], list(objects[0].shape))
show(math.sqrt(torch.full((1,), 4.0)), math.floor(torch.full((1, 1), 4.5)), math.sqrt(one.abs().max(0)[0]))
"""

# Of what is not known the targets themselves make numbers: Paddle's interpreter has a numpy that lets it.
UNKNOWN = """
import types
import numpy as np
import torch

box = types.SimpleNamespace()
for name, value in {"array": np.zeros(3), "one": torch.full((1,), 2.5), "place": torch.full((1, 1), 1)}.items():
    setattr(box, name, value)
box.array[0] += 0.5 * box.one
box.array[2] = box.one
show(box.array, float(box.one), int(box.one), int(box.place))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_stored_in_arrays(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_numbers_of_what_is_not_known(agrees: Callable[..., object], target: str) -> None:
    agrees(UNKNOWN, target)
