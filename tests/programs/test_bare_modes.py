"""``@torch.no_grad`` without parentheses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import torch
    from torch import no_grad


    @torch.no_grad
    def f(x):
        return x * 2


    class A:
        @no_grad
        def f(self, x, *, by=3):
            return x * by

        @torch.inference_mode
        def g(self, x):
            return x + 1

        @torch.no_grad()
        def h(self, x):
            with torch.enable_grad():
                return x * 4

        @torch.enable_grad
        def k(self, x):
            return x * 5


    x = torch.ones(2, requires_grad=True)
    results = [f(x), A().f(x, by=2), A().g(x), A().h(x), A().k(x), x * 2]
    with torch.no_grad():
        results.append(A().k(x))
    show([result.requires_grad for result in results], [result.sum().item() for result in results])
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_agrees(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
