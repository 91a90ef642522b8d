"""Places that ``torch.where(mask)`` gives, which may be none, and lists of places that functions give."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAMS = {
    "one number at places by a condition": """
import torch
def f(p, n, losses):
    zero_rows = torch.where(
        (torch.sum(p, dim=1) == 0) | (torch.sum(n, dim=1) == 0)
    )[0]
    final_mask = torch.ones_like(losses)
    final_mask[zero_rows] = 0
    return losses * final_mask
show(f(torch.ones(2, 2), torch.ones(2, 2), torch.ones(2)))
""",
    "at places of each kind": """
import torch
def f(p, losses):
    rows = torch.where(p.sum(1) == 0)[0]
    losses[rows] = 0
    cols = (p.sum(0) == 0).nonzero()
    losses[cols] = 0.5
    rows2, = torch.where(p.sum(1) == 0)
    losses[rows2] = 0
    at = torch.where(p.sum(1) == 0)
    losses[at[0]] = 2
    losses[at] = 3
    a, b = torch.where(p == 0)
    p[a, b] = 0
    return losses
show(f(torch.ones(2, 2), torch.ones(2)))
""",
    "of pairs in a list": """
import torch
def pairs(*ts):
    t = torch.stack(ts)
    t, _ = torch.sort(t, dim=0)
    t = torch.unique(t, dim=1)
    return t.tolist()
class D(torch.nn.Module):
    def forward(self, x):
        return x @ x.t()
class L(torch.nn.Module):
    def __init__(self, d=None):
        super().__init__()
        self.d = d or D()
    def loss(self, e, a, b):
        mat = self.d(e)
        at = pairs(a, b)
        return mat[at]
    def forward(self, e, a, b):
        return self.loss(e, a, b)
e = torch.arange(6.0).reshape(3, 2)
show(L()(e, torch.tensor([0, 1, 1]), torch.tensor([1, 2, 0])))
""",
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_stored_and_taken_as_in_torch(agrees: Callable[..., Outcome], program: str, target: str) -> None:
    agrees(program, target)
