"""Operators on bits, of integers of which nothing says how wide they are, and called by the class."""

from __future__ import annotations

from collections.abc import Callable

import pytest

OF_ANY_WIDTH = """
    import torch
    numbers = torch.tensor([7, -7, 7, -7, 0, -1])
    def bits(x, count):
        return [(x >> place) & 1 for place in range(count)]
    for dtype in (torch.int32, torch.int64):
        x = numbers.to(dtype)
        show(x & 3, x | 8, x ^ 5, 6 & x, bits(x, 3))
    class Codes:
        def __init__(self, codes):
            self.codes = codes
        def low(self):
            return self.codes & 0xF
        def flag(self, on):
            return (self.codes > 3) & on
    codes = Codes(torch.tensor([17, 34, 3]))
    show(codes.low(), codes.flag(True), codes.flag(torch.tensor([True, False, True])))
"""
BY_CLASS = """
    import torch
    x, T = torch.tensor([3, -1, 2]), torch.Tensor
    show(T.__and__(x, 1), T.__or__(x, 4), T.__xor__(x, 7), torch.Tensor.__and__(x, x), T.__lshift__(x, 1))
    show(T.__add__(x, 2), T.__rsub__(x, 2), T.__truediv__(x, 2), T.__floordiv__(x, 2))
    show(T.__mod__(x, 2), T.__eq__(x, 2))
    mask = x > 0
    show(T.__and__(mask, mask), T.__invert__(mask), T.__or__(mask, False), T.__sub__(x, 0.5), T.__mul__(x, mask))
"""


@pytest.mark.parametrize("program", [OF_ANY_WIDTH, BY_CLASS], ids=["of any width", "by the class"])
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_operators(program: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(program, target)
