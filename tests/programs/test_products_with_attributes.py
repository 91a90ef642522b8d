"""Products with parameters of which nothing says how many axes they have, and kernels of attention that are chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch
from torch import nn
class Gate(nn.Module):
    def __init__(self, dim, shape, heads):
        super().__init__()
        self.w = nn.Parameter(torch.ones(shape) * 0.5)
        self.many = nn.Parameter(torch.ones(dim, heads) * 0.25)
    def forward(self, x):
        return x @ self.w, (x @ self.many).tanh(), self.w @ self.many
for shape in ((4,), (4, 3)):
    g = Gate(4, shape, 2)
    if len(shape) > 1:
        show((torch.ones(2, 5, 4) @ g.w).detach())
        continue
    a, b, c = g(torch.arange(40.0).reshape(2, 5, 4))
    (a.sum() + b.sum() + c.sum()).backward()
    show(a.detach(), b.detach(), c.detach(), g.w.grad, g.many.grad)
"""

CHOSEN = """
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend
KINDS = dict(flash=SDPBackend.FLASH_ATTENTION, math=SDPBackend.MATH)
q = torch.linspace(-1, 1, 24).reshape(1, 2, 3, 4)
with torch.nn.attention.sdpa_kernel([KINDS[name] for name in ("flash", "math")]):
    show(F.scaled_dot_product_attention(q, q, q))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_vectors_are_told_at_run_time(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(PROGRAM, target)


def test_kernels_are_chosen_by_none(agrees: Callable[..., Outcome]) -> None:
    agrees(CHOSEN, "oneflow")
