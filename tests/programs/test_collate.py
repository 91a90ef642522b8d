"""A batch is made of its items as torch makes it, of named tuples too."""

from __future__ import annotations

import pytest

PROGRAM = """
    from collections import namedtuple

    import torch
    from torch.utils.data import default_collate

    Point = namedtuple("Point", "x y")
    batch = default_collate([Point(torch.ones(2), 1), Point(torch.zeros(2), 2)])
    show(batch.x, batch.y, type(batch).__name__, isinstance(batch, Point))
    batch = default_collate([{"p": Point(1.5, [1, 2]), "n": "a"}, {"p": Point(2.5, [3, 4]), "n": "b"}])
    show(batch["p"].x.sum(), batch["p"].y, batch["n"])
    show(default_collate([(1, torch.ones(1)), (2, torch.ones(1))]), default_collate(["a", "b"]))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_collate(agrees, target):
    agrees(PROGRAM, target)
