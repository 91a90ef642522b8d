"""Products of matrices of whole numbers, which the frameworks make as float32."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_products_of_integers(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch

        a = torch.tensor([[16777217, 1], [3, 4]])
        v = torch.tensor([16777217, 2])
        show(a @ a, a.mm(a), torch.matmul(a, v), v @ v, torch.bmm(a[None], a[None]), a.matmul(a[0]), -a)
        f = torch.full((2, 2), 1.5)

        def product(x, y):
            return x @ y

        show(f @ f, product(f, f), f.mm(f))
        m = f
        m @= f
        n = a
        n @= a
        show(m, n)
        """,
        target,
    )
