"""Numbers that Paddle reckons otherwise: pseudoinverses of singular matrices, angles and signs of integers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "pseudoinverses": """
        import torch

        d = torch.tensor([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
        (torch.linalg.pinv(d) * torch.arange(9.0).reshape(3, 3)).sum().backward(); show(d.grad)
        d.grad = None
        (torch.linalg.pinv(d, hermitian=True) * torch.arange(9.0).reshape(3, 3)).sum().backward(); show(d.grad)
    """,
    "of integers": """
        import torch

        a, b = torch.tensor([1, -2, 3]), torch.tensor([2, 3, -4])
        show(torch.atan2(a, b), a.atan2(b), torch.copysign(a, b), a.copysign(b))
        show(torch.arctan2(a, b.float()), a.copysign(b.float()))
        show(torch.copysign(a.float(), b), torch.atan2(a.double(), b), torch.copysign(a, -1.0))
        show(torch.atan2(a.to(torch.int32), b.to(torch.int32)), torch.copysign(a.int(), b.int()))
        show(torch.copysign(a > 0, b > 0))
        show(torch.logaddexp(a.float(), b.float()), torch.xlogy(a.abs(), b.abs()), torch.float_power(a, b))
    """,
    "a number over what may have no axes": """
        import torch

        def pair(x, s=None):
            return (x, x if s is None else s)

        one, other = pair(torch.tensor(2))
        show(7 // other, other // 2, 7 // torch.tensor(2), 7 % other)
    """,
    "gradients of pseudoinverses": """
        import torch

        d = torch.tensor([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
        (torch.linalg.pinv(d) * torch.arange(9.0).reshape(3, 3)).sum().backward(); show(d.grad)
        d.grad = None
        (torch.linalg.pinv(d, hermitian=True) * torch.arange(9.0).reshape(3, 3)).sum().backward(); show(d.grad)
    """,
    "views of a number that change": """
        import torch
        x = torch.tensor(1.0)
        v = x.reshape(1)
        v.add_(1)
        w = x.view(1, 1)
        w[0, 0] = 5.0
        show(x, v, w)
        u = x.view(-1)
        x.mul_(2)
        show(u, x.reshape(1), x.view([1]), x.view(()))
        def f(t):
            s = t.sum()
            r = s.reshape((1,))
            r += 1
            return s, r
        show(f(torch.ones(3)))
        y = torch.ones(3)
        z = y.sum().reshape(1)
        z.add_(1)
        show(z, y)
        x.view(1)[0] = 7.0
        show(x)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")
