"""Stores by a mask, by new axes, by lists that are no literals, and what lists of several parts pick."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")
# A mask that holds once stores one element: of that Paddle tells no graph.
ONCE = """
    import torch
    x = torch.arange(6.0, requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    y = x * 2
    y[x == 5] += 5
    y[x == 4] = w
    y[[True, False, False, False, False, False]] = w * 2
    (y * y).sum().backward()
    show(y.detach(), x.grad, w.grad)
    z = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
    m2 = torch.tensor([[True, False, True], [False, False, True]])
    k = torch.tensor([2, 0, 1])
    v = z[m2, k]
    (v * v).sum().backward()
    show(v.detach(), z.grad)
    u = z * 1
    u[None, [0, 1]] = w
    u[m2, k] = w
    with torch.no_grad():
        q = z * 2
        q[q > 3] *= 2
    q[q > 3] = 1.0
    n = (z > 3).long()
    n[n > 0] += 1
    w.grad = None
    (u * u).sum().backward()
    show(u.detach(), w.grad, q)
"""
LISTS = """
    import torch
    x = torch.arange(24.0).reshape(2, 3, 4)
    n = torch.tensor(1)
    show(x[[[0, 1], [1, 0]]], x[[[0, 1]]], x[[n, 0]], x[[[[0, 1], [1, 0]]]])
    where = [[0, 1], [1, 2]]
    show(x[where], x[[0, 1]])
    x[[[0, 1], [1, 0]]] = 7
    x[where] += 2
    show(x)
"""
ARRAYS_AND_TRUTHS = """
    import numpy as np
    import torch
    w = torch.tensor(3.0, requires_grad=True)
    k = torch.tensor([2, 0, 1])
    b = torch.tensor(True)
    x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
    for i in range(5):
        y = x * 2
        if i == 0:
            y[:, np.array([0, 2])] = w
        if i == 1:
            y[:, k.tolist()] = w
        if i == 2:
            y[b] = w
        if i == 3:
            y[x.sum() > 3] = w
        if i == 4:
            y[np.array([1, 0]), 1] = w
        x.grad = w.grad = None
        (y * y).sum().backward()
        show(y.detach(), x.grad, w.grad)
"""
PARTS = """
    import torch
    x = torch.arange(24.0).reshape(2, 3, 4)
    k = torch.tensor([2, 0, 1])
    m = torch.tensor([True, False])
    base = torch.zeros(2, 3, 8)
    v = base[:, :, 1::2]
    v[:, k.tolist()] = 7
    show(base)
    v[x.sum() > 3] = 8
    show(base)
    v[m.any()] = 9
    show(base)
    show(x[[k[0] * 0, 1]], x[[torch.tensor([1]), torch.tensor([2])]])
"""

COMPUTED = """
    import torch
    x = (torch.arange(6.0) + 1).requires_grad_()
    y, z = torch.full((3,), 2.0), 3.0
    m = x.detach() > 3
    v = x * 2
    v[m] -= y.sub(z)
    v[m] += 2 if z else 3
    v.sum().backward()
    show(v, x.grad)
    v = (x * 2).detach()
    v[m] *= y.add(1)
    v[[0, 2]] -= y[:2].add(z)
    v[m] *= -y
    v[torch.tensor([1, 0])] /= y[1:].mul(2).add(z)
    v[m] -= (lambda: y)()
    v[torch.tensor(0)] *= y.sum().add(1)
    show(v)
"""
PROGRAMS = {"once": ONCE, "lists": LISTS, "arrays": ARRAYS_AND_TRUTHS, "parts": PARTS, "computed": COMPUTED}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_stores(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(PROGRAMS[program], target)


def test_numbers_and_what_takes_no_gradient_are_stored_as_they_stand(agrees: Callable[..., object]) -> None:
    found = agrees(
        """
        import torch
        x = torch.arange(6.0) * 2
        x[x > 3] = 0
        n = torch.arange(6)
        n[n > 3] += 1
        with torch.no_grad():
            x[x == 2] *= 3
        show(x, n)
        """,
        "paddle",
    )
    text = found.converted["program.py"]  # type: ignore[attr-defined]
    assert "x[x > 3] = 0" in text
    assert "n[n > 3] += 1" in text
    assert "x[x == 2] *= 3" in text
