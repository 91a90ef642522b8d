"""What is a tensor of its own in torch is one here, and what is the tensor itself: ``x[...]``, ``x.flatten()``."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

PROGRAMS = {
    "all of it": """
        x = torch.arange(6.0).view(2, 3)
        y = x[...]
        y.data = torch.zeros(2, 3)
        show(x, y)
        z = x[...]
        z.requires_grad_()
        v = x[...]
        v.unsqueeze_(0)
        show(x.requires_grad, z.requires_grad, x.shape, v.shape)
    """,
    "of one axis": """
        x = torch.arange(3.0)
        y = x.t()
        y.requires_grad_(True)
        z = torch.t(x)
        z.unsqueeze_(0)
        show(x.requires_grad, x.shape, z.shape)
        v = x.flatten()
        v.data = torch.ones(3)
        show(x, v)


        def flat(v: torch.Tensor):
            w = torch.flatten(v)
            w.unsqueeze_(0)
            return v.shape, w.shape


        show(flat(torch.ones(3)), flat(torch.ones(2, 2)), flat(torch.ones(())))
    """,
    "in an object": """
        class Box:
            def __init__(self, x):
                self.x, self.all = x, x[...]


        def changed(x):
            box = Box(x)
            box.all.data = torch.ones(2, 3)
            return box.x


        show(changed(torch.arange(6.0).view(2, 3)))
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees("import torch\n" + dedent(program), "oneflow")
