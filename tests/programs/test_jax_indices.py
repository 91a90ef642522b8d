"""Numbers, ranges and arrays in one index; lists of several parts; changes in place of what an index copies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import torch
    x = torch.arange(24.0).reshape(2, 3, 4)
    k = torch.tensor([2, 0])
    n = torch.tensor(1)
    m = torch.tensor([True, False, True])
    z = torch.arange(120.0).reshape(2, 3, 4, 5)
    show(x[0, :, [0, 2]], x[1, :, k], x[n, :, k], x[:, 1, k], x[k % 2, :, 0], x[0, 1:, k], x[0, ..., k])
    show(z[:, 0, :, k], z[0, m, :, 1], z[0, None, k], z[1, :, k, k], z[k % 2, :, k, 1])
    for i in range(2):
        show(x[i, :, k])
    x[k % 2].add_(100)
    x[m[:2]].fill_(7)
    x[[0, 1]].mul_(0)
    show(x)
    y = torch.arange(24.0).reshape(2, 3, 4)
    show(y[[[0, 1], [1, 0]]], y[[[0, 1]]], y[[[0, 1], [2, 0]]])
    y[[[0, 1], [1, 0]]] = 7
    y[[[0, 1], [1, 2]]] += 2
    show(y)
    show(y[[n, 0]], y[[k[1], 1]], y[[torch.tensor([1]), torch.tensor([2])]])
"""
NUMBERS = """
    import torch
    x = torch.arange(24.0).reshape(2, 3, 4)
    n = torch.tensor(1)
    x[n].add_(100)
    x[:, n].fill_(-3)
    x[n, n, n].fill_(7)
    x[n, :, n].mul_(2)
    x[x.argmax() * 0].sub_(1)
    show(x)
"""
TUPLES = """
    import torch
    x = torch.arange(24.0).reshape(2, 3, 4)
    place = (1, 2)
    x[place].add_(100)
    first, last = (0, 0), (slice(None), 1)
    x[first].fill_(-3)
    x[last].mul_(2)
    for i, j in [(0, 1), (1, 0)]:
        where = (i, j)
        x[where].sub_(1)
    x[[0, 1]].add_(1)
    show(x)
"""
FRACTIONS = """
    import torch
    x = torch.tensor([3, -70001, 5000000001, -7])
    y = torch.tensor([1.5, -0.5])
    x[0] = y[1]
    show(x)
    x[:2] = y * 3
    show(x)
    h = torch.tensor([3, 70001, 16777217])
    h[h < 4] = torch.tensor(2.7)
    h[1] = 9
    show(h)
    f = torch.zeros(3)
    f[0] = y[0]
    f[1] = torch.tensor(3)
    show(f)
"""
BYTES = """
    import torch
    y = torch.arange(24.0).reshape(2, 3, 4)
    m = torch.tensor([True, False, True])
    mask, flags = m.byte(), (y > 12).to(torch.uint8)
    show(y[0][mask], y[:, mask], y[flags], y[0][m.to(torch.uint8)])
    y[flags] = y[flags] * 2
    show(y)
"""


@pytest.mark.parametrize("target", ["jax", "paddle", "oneflow"])
def test_indices(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)


def test_numbers_that_are_tensors(agrees: Callable[..., object]) -> None:
    agrees(NUMBERS, "jax")


def test_tuples_by_a_name(agrees: Callable[..., object]) -> None:
    agrees(TUPLES, "jax")


@pytest.mark.parametrize("target", ["jax", "paddle"])
def test_fractions_among_integers(agrees: Callable[..., object], target: str) -> None:
    agrees(FRACTIONS, target)


@pytest.mark.parametrize("target", ["jax", "oneflow"])
def test_masks_of_bytes(agrees: Callable[..., object], target: str) -> None:
    agrees(BYTES, target)
