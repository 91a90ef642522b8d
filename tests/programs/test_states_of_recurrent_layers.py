"""A state_dict has each weight of a recurrent layer once, under torch's name, where a program goes through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAM = """
import copy
import numpy as np
import torch
import torch.nn as nn
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 4, 2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(8, 2)
    def forward(self, x):
        return self.out(self.rnn(x)[0])
def fill(net, seed):
    rng = np.random.RandomState(seed)
    new = {}
    for k, v in net.state_dict().items():
        new[k] = torch.from_numpy(rng.uniform(-0.5, 0.5, tuple(v.shape)).astype(np.float32))
    net.load_state_dict(new)
net, cell = Tagger(), nn.GRU(2, 3)
fill(net, 0)
fill(cell, 1)
show(len(net.state_dict()), list(net.state_dict().keys()), sum(v.numel() for v in net.state_dict().values()))
x = torch.linspace(-1, 1, 12).view(1, 4, 3)
show(net(x), cell(torch.ones(2, 1, 2))[0])
ema = copy.deepcopy(net)
sd = net.state_dict()
with torch.no_grad():
    for k, v in ema.state_dict().items():
        v.mul_(0.5).add_(sd[k], alpha=0.25)
show(ema(x))
a, b = Tagger(), Tagger()
a.load_state_dict(net.state_dict())
mixed = {k: 0.5 * (p + q) for (k, p), q in zip(net.state_dict().items(), ema.state_dict().values())}
missing, unexpected = b.load_state_dict(mixed, strict=False)
show(missing, unexpected, b(x), torch.equal(a(x), net(x)))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_each_once(agrees: Callable[..., Any], target: str) -> None:
    agrees(PROGRAM, target)
