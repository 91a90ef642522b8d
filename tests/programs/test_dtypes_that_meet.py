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

QUOTIENTS = """
    import torch
    x = torch.tensor([5000000000000000001, -7, 9007199254740993, 7])
    y = torch.tensor([3, 2, 2, -2])
    show(x // y, x // 3, torch.floor_divide(x, y), x % y)
    b = torch.tensor([-128, 100, -7], dtype=torch.int8)
    show(b // 3, b // torch.tensor([3, -7, 2], dtype=torch.int8), torch.div(b, 3, rounding_mode="floor"))
    u = torch.tensor([250, 7], dtype=torch.uint8)
    show(u // 3, u % 4)
    x //= 2
    show(x)
    d = torch.tensor([5000000001, -7000000003, 16777217])
    show(torch.div(d, y[:3], rounding_mode="trunc"), torch.div(d, 3, rounding_mode="trunc"))
    show(torch.div(d, 7, rounding_mode="floor"))
    e, f = d.clone(), d.clone()
    show(e.div_(3, rounding_mode="floor"), f.div_(2, rounding_mode="trunc"))
    show(torch.div(torch.tensor([7.5, -7.5]), 2, rounding_mode="trunc"))
    show(torch.div(torch.tensor([7, -7]), 2.5, rounding_mode="trunc"))
    m = torch.tensor([True, False])
    show(torch.div(m, torch.tensor([2, 3], dtype=torch.uint8), rounding_mode="trunc"))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", [PROGRAM, LARGE], ids=["kinds", "large"])
def test_remainders(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)


def test_quotients_of_whole_numbers(agrees: Callable[..., object]) -> None:
    agrees(QUOTIENTS, "oneflow")
