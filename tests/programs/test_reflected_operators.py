"""Operands are evaluated from left to right also where an operator becomes a call of a helper."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("operator", ["//", "%", "**", "-", "/", "<", ">=", "@"])
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_operands_stay_in_their_order(agrees: Callable[..., object], target: str, operator: str) -> None:
    agrees(
        f"""
        import torch

        a = torch.linspace(1.0, 2.0, steps=4).view(2, 2)
        calls = []

        def tick(what, value):
            calls.append(what)
            return value

        class Src:
            def __init__(self, value):
                self._value = value

            @property
            def value(self):
                calls.append("read")
                return self._value

        box = Src(a)
        show(tick("x", a) {operator} (box.value + tick("k", 1)), calls)
        show(tick("y", [a][0]) {operator} torch.ones(2, 2).mul(tick("z", 2)), calls)
        """,
        target,
    )
