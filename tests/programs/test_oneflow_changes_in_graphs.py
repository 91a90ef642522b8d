"""Parts of tensors that change in place where gradients are recorded, and where they are not."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import math
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
"""

PROGRAMS = {
    "parts": """
        x = torch.ones(2, 3, requires_grad=True)
        y = x * 2
        y[0].mul_(3)
        y[:, 1].add_(x[:, 0])
        y[1, 2].sub_(x[0, 0], alpha=2)
        y[:, :2].clamp_(max=5)
        y[1].masked_fill_(torch.tensor([True, False, False]), 0.0)
        y[..., 0].div_(2)
        y.sum().backward()
        show(x.grad, y)
    """,
    "parts that no graph has": """
        w = nn.Parameter(torch.ones(2, 3))
        with torch.no_grad():
            w[0].mul_(2)
            w[:, 1].add_(1)
        w.data[1].sub_(5)
        b = torch.zeros(3, 3)
        b[1].add_(2)
        b[:, 0].mul_(4)
        show(w, b)
        i = 1


        def f(t, k):
            t[k].add_(1)
            t[k, 1:].mul_(2)
            return t[0].add_(1)


        show(f(b, i), b)
    """,
    "one sample": """
        x = torch.tensor([[1.0, 2.0, 3.0], [3.0, 1.0, 0.0]])
        t = torch.tensor([2, 0])
        show(F.cross_entropy(x[0], t[0]), nn.CrossEntropyLoss()(x[1], t[1]))
    """,
    "division": """
        x = torch.full((2,), 3.0, requires_grad=True)
        y = x * 4
        y.div_(x)
        y.div_(x)
        y.sum().backward()
        show(x.grad)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")
