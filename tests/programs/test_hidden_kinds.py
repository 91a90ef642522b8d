"""What is a tensor behind a call or an attribute of which nothing is known otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

DATA = """
import torch
weights = torch.tensor([1.703])
class Box:
    pass
ns = Box()
ns.x = []
ns.x = weights.view(-1)
ns.x.data += 2.0
show(weights, ns.x)
ns.x.data -= torch.ones(1)
show(weights, ns.x)
"""

QUOTIENT = """
import torch
out = torch.tensor(0.5)
show((out() if out > 2 else out).exp() // 0.9, (out() if out > 2 else out).exp() % 0.9)
"""

FIELD = """
from dataclasses import dataclass
import torch
@dataclass
class Batch:
    data: torch.Tensor
    size: torch.Tensor
x = torch.ones(2, 2)
batch = Batch(2, x.mT)
batch.size[0].zero_()
show(x)
batch.size[1].fill_(3)
show(x)
"""

EITHER = """
import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence
scores = torch.from_numpy(np.linspace(1, 4))
pos = torch.tensor([1.473, 0.297])
if pos.numel():
    chosen = torch.topk(pos, k=2)[1]
else:
    chosen = scores.sigmoid()
show(chosen * torch.tensor(0.5))
lstm = nn.LSTM(1, 3, batch_first=True)
out, (h, c) = lstm(pack_sequence([torch.ones(3, 1), torch.ones(2, 1)]))
out, lengths = pad_packed_sequence(out, batch_first=True)
show((out * 0).sum(1) / lengths.unsqueeze(1), torch.ones(2) / lengths, lengths)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("text", [DATA, QUOTIENT, FIELD, EITHER], ids=["data", "quotient", "field", "either"])
def test_agrees(agrees: Callable[..., object], target: str, text: str) -> None:
    agrees(text, target)
