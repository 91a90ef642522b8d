"""Sizes are tuples in torch, also where they are tested for, and compared with lists."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
import torch
x = torch.zeros(2, 3)
def f(s):
    return isinstance(s, tuple), isinstance(s, list)
show(f(x.shape), f([2, 3]), f((2, 3)))
d = {"s": x.shape, "t": 1}
class A: pass
a = A(); a.s = x.shape
show(isinstance(d["s"], tuple), isinstance(a.s, tuple), d["s"] == (2, 3), a.s == (2, 3), d["s"] == [2, 3])
def f(x):
    return x.shape == (2, 3), isinstance(x.shape, tuple), x.shape[1:] == (3,), tuple(x.shape)
show([f(*a) for a in [(torch.zeros(2, 3),)]])
def g(x):
    s = x.shape
    return isinstance(s, tuple), isinstance(s, list), s == [2, 3]
show([g(*a) for a in [(torch.zeros(2, 3),)]])
def pair(s):
    if isinstance(s, tuple):
        return s
    return (s, s)
show(pair(x.shape[:2]), pair(2), pair((1, 2)))
def go(*a):
    return [pair(i) for i in a]
show(go(x.shape, (2, 3)))
class Pad:
    def __init__(self, size, fill=0):
        if isinstance(size, tuple):
            self.size = size
        elif isinstance(size, list):
            raise TypeError("a list")
        else:
            self.size = (size, size)
class Box(Pad):
    def __init__(self, where):
        super().__init__(where)
        self.is_list = isinstance(where, (list, int)), isinstance(where, (list, torch.Size))
        self.is_size = isinstance(where, torch.Size)
show(Pad(x.shape).size, Pad(3).size, Box(x.size()).is_list, Box(4).is_list, Box((2, 2)).is_size)
def of(image_size=None):
    return image_size if isinstance(image_size, tuple) else (image_size,) * 2
show([of(*a) for a in [[x.shape], [3]]])
show(not isinstance(x.shape, list), x.shape == list(x.shape), x.shape != [2, 3], [2, 3] == x.shape)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_sizes_are_tuples(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
