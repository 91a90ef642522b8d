"""A class that becomes several in the target is found in what a program collects of the classes of its modules."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_class_in_a_collection(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch.nn as nn

        net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 2, bias=False))
        kinds = {type(m) for m in net.modules()}
        counts = {}
        for m in net.modules():
            counts[type(m)] = counts.get(type(m), 0) + 1
        show([tuple(m.weight.shape) for m in net if isinstance(m, nn.Linear)])
        for p in net.parameters():
            p.data[0] = 0.5
        show(nn.Linear in kinds, nn.Conv2d in kinds, nn.Linear not in kinds, nn.Conv2d not in counts, nn.ReLU in kinds)
        show(nn.Linear in (kinds), not nn.Linear in kinds, nn.Linear in [type(m) for m in net], nn.Linear in counts)
        found = [m for m in net if nn.Linear in type(m).__mro__ and len(kinds) > 1]
        show(len(found), 1 if nn.Linear in kinds else 2, {"a": nn.Linear in kinds})

        def has(wanted, kinds):
            return wanted in kinds

        show(has(nn.ReLU, kinds), has(nn.Tanh, kinds))
        """,
        target,
    )
