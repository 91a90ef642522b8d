"""Gradients that are asked for, changed or marked in blocks that JAX has no need of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "asked for in a block": """
        import torch

        def slope(func, y, by):
            with torch.enable_grad():
                y = y.detach().requires_grad_(True)
                out = func(y)
                got, = torch.autograd.grad(out, [y], by)
            return got

        show(slope(torch.sin, torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0])))
    """,
    "changed by what is computed": """
        import torch
        from torch import nn

        net = nn.Linear(2, 1)
        with torch.no_grad():
            net.weight.copy_(torch.tensor([[1.0, 2.0]]))
            net.bias.zero_()
        scale = torch.tensor(2.0)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(3):
            opt.zero_grad()
            loss = (net(torch.ones(4, 2)) ** 2).mean()
            loss.backward()
            net.weight.grad *= scale.add(1)
            net.bias.grad -= scale.sub(1)
            opt.step()
        show(net.weight.detach(), net.bias.detach())
    """,
    "returned by a block in a block": """
        import torch

        def run(x, again=True):
            with torch.no_grad():
                if again:
                    with torch.inference_mode(False), torch.no_grad():
                        return x * 2
                return x * 2 + 1

        x = torch.ones(2, requires_grad=True)
        total = run(x).sum() + run(x, False).sum() + x.sum()
        (slope,) = torch.autograd.grad(total, x)
        show(run(x), run(x, False), slope)
    """,
    "within calls that are written anew": """
        import numpy as np
        import torch

        def slope(x):
            x = torch.from_numpy(x).requires_grad_(True)
            loss = (x**2).sum()
            return np.asarray(torch.autograd.grad(loss, x)[0].contiguous().view(-1))

        show(slope(np.ones((2, 3), dtype=np.float32)))
    """,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(PROGRAMS[program], "jax")


def test_what_is_rewritten_twice_is_marked(announced: Callable[..., object]) -> None:
    program = """
        import numpy as np
        import torch

        def slope(x):
            x = torch.from_numpy(x).requires_grad_(True)
            loss = (x**2).sum()
            return np.asarray(torch.autograd.grad(torch.stack([loss]).sum(), x)[0].contiguous().view(-1))

        show(slope(np.ones((2, 3), dtype=np.float32)))
    """
    announced(program, "jax")
