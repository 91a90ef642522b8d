"""Random numbers that are drawn again, as reversible layers draw them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch
from torch import nn
class Recording(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.state = None
    def record(self):
        self.state = torch.get_rng_state()
        self.on_gpu = False
        if torch.cuda._initialized:
            self.on_gpu = True
    def forward(self, x, again=False):
        if not again:
            self.record()
            return self.net(x)
        with torch.random.fork_rng(devices=[], enabled=True):
            torch.set_rng_state(self.state)
            return self.net(x)
torch.manual_seed(0)
r = Recording(nn.Dropout(0.5))
x = torch.ones(40)
first = r(x)
mark = torch.get_rng_state()
same = r(x, again=True)
show(torch.equal(first, same), torch.equal(mark, torch.get_rng_state()))
with torch.random.fork_rng(enabled=False):
    a = torch.rand(3)
with torch.random.fork_rng():
    b = torch.rand(3)
c = torch.rand(3)
show(torch.equal(b, c), torch.equal(a, b))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_generators_are_as_they_were(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(PROGRAM, target)
