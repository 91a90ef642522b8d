"""torch's own helpers for sizes of layers, which many projects import."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch
from torch import nn
from torch.nn.modules.utils import _ntuple, _pair, _quadruple, _reverse_repeat_tuple, _single, _triple

to_2tuple = _ntuple(2)


class Conv(nn.Conv2d):
    def __init__(self, given, made, kernel_size):
        super().__init__(given, made, _pair(kernel_size))


def sized(x, size=_pair):
    return size(x)


show(_pair(3), _pair([1, 2]), _single(2), _triple(1), _quadruple("ab"), to_2tuple(5), sized(7))
show(list(map(_pair, [1, 2])))
show(_reverse_repeat_tuple((1, 2), 2), tuple(Conv(1, 2, 3).weight.shape), _pair(torch.tensor([4, 5])))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_one_number_for_all_axes(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(PROGRAM, target)
