"""Remainders in place of two kinds of dtype and of large numbers; truth values beside numbers; lists of bfloat16."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import torch
    x = torch.tensor([0.75, -2.5, 3.0, -7.25])
    y = torch.tensor([2, 3, -5, 4])
    u = torch.tensor([2, 3, 250, 5], dtype=torch.uint8)
    x %= y
    show(x)
    x = torch.tensor([0.75, -2.5, 3.0, -7.25], dtype=torch.float64)
    x %= u
    show(x)
    x = torch.tensor([0.75, -2.5, 3.0, -7.25])
    x //= y
    show(x)
    x = torch.tensor([7, -2, 5])
    x %= torch.tensor([True, True, True])
    show(x)
    i = torch.tensor([7, -7])
    i %= 3
    show(i)
    z = torch.tensor([[7.5, -2.5], [1.0, -8.0]])
    z[0] %= torch.tensor([2, 3])
    show(z)
"""

LARGE = """
    import torch
    b = torch.tensor([True, False, True])
    c = torch.tensor([False, True, True])
    show(torch.where(c, b, 0), torch.where(c, 2, b), b.where(c, 3), torch.where(c, b, True), torch.where(c, False, b))
    h = torch.tensor([0.75, -2.5], dtype=torch.bfloat16)
    show(h.tolist(), h[0].item(), torch.ones(2).to(torch.bfloat16).tolist(), torch.ones(2).half().tolist())
    i = torch.tensor([5000000001, -7])
    i.remainder_(3)
    show(i)
    j = torch.tensor([5000000001, -7])
    j.floor_divide_(2)
    show(j)
    k = torch.tensor([5000000001, -7])
    k.fmod_(4)
    show(k)
    f = torch.tensor([5.5, -7.25])
    f.remainder_(2.5)
    show(f, f.fmod_(1.5))
    f.floor_divide_(2)
    show(f)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", [PROGRAM, LARGE], ids=["kinds", "large"])
def test_remainders(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)
