"""Extremes of tensors that hold NaN."""

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
    "extremes": """
        x = torch.tensor([[1.0, float("nan"), 3.0], [4.0, 5.0, 6.0]])
        show(
            x.max(),
            x.min(),
            x.argmax(),
            x.argmin(),
            x.argmax(1),
            x.max(1),
            x.min(dim=0, keepdim=True),
            torch.max(x),
            torch.max(x, 1)[0],
        )
        v, i = x.max(dim=1)
        show(v, i, x.min(1).values, x.max(0).indices, x.argmin(0, keepdim=True))
        show(
            x.amax(1),
            x.amin(0),
            torch.maximum(x, torch.full_like(x, 2.0)),
            torch.minimum(x, torch.full_like(x, 2.0)),
            torch.max(x, torch.zeros(3)),
            x.amax((0, 1)),
            x[1].max(),
            x[1].argmax(),
        )
        y = torch.tensor([3, 1, 2])
        show(y.max(), y.argmax(), y.max(0), torch.maximum(y, torch.tensor(2)), y.amax(0) if False else 0)
        z = torch.tensor([3.0, 1.0], requires_grad=True)
        z.max().backward()
        show(z.grad)
    """,
    "sorted": """
        nan, inf = float("nan"), float("inf")
        y = torch.tensor([[1.0, nan, 3.0], [inf, -inf, 2.0], [5.0, 5.0, 5.0]])
        values, places = torch.sort(y, dim=0)
        show(y.sort(1).values, y.sort(1).indices[0], y.argsort(1)[0], values, places[:, 0], torch.msort(y))
        show(torch.tensor([3.0, nan, 1.0]).sort(descending=True), torch.sort(y[0], stable=True, dim=0).indices)
        show(y.topk(2, 1), torch.topk(y[0], 1).values, y.topk(2, dim=0, largest=False)[0])
        w = torch.tensor([2.0, nan, 1.0], requires_grad=True)
        (w.sort()[0][:2] * torch.tensor([1.0, 2.0])).sum().backward()
        show(w.grad)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")
