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

CONTAINERS = """
import itertools
from collections import OrderedDict, deque
import torch
t = torch.zeros(2)
d = dict.fromkeys(["a", "b"], t)
d["a"] += 2
show(d, t)
for k in d:
    d[k] += 1
show(d["a"], d["b"], (d["a"] > 1).sum() // 2)
same = list(itertools.repeat(torch.zeros(2), 2))
same[0] += 2
show(same)
class Window:
    def __init__(self, n):
        self.kept = deque(maxlen=n)
    def add(self, x):
        self.kept.append(x)
w = Window(3)
for i in range(5):
    t += 1
    w.add(t.clone() * i)
last = w.kept[-1]
last += 100
w.kept[0] *= 2
show(list(w.kept), torch.stack(list(w.kept)).mean(0), w.kept.popleft(), len(w.kept))
q = deque([t] * 2, maxlen=2)
q[0] += 1
q.rotate(1)
show(list(q), t, [7 // v.sum() for v in q])
ordered = OrderedDict(w=torch.zeros(2), b=torch.ones(1))
alias = ordered["w"]
ordered["w"] += 4
show(ordered, alias)
class Total:
    def __init__(self):
        self.x = torch.zeros(2)
    @property
    def view(self):
        return self.x
    def __iadd__(self, other):
        self.x += other
        return self
total = Total()
total += 2
v = total.view
v += 1
show(total.x, v, total.view.sum() // 4)
losses = deque(maxlen=2)
for loss in (1, 2, 3):
    losses.append(loss)
show(sum(losses) / len(losses))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize(
    "text", [DATA, QUOTIENT, FIELD, EITHER, CONTAINERS], ids=["data", "quotient", "field", "either", "containers"]
)
def test_agrees(agrees: Callable[..., object], target: str, text: str) -> None:
    agrees(text, target)


JOINED_OF_SEVERAL = """
import torch
class Buf:
    def __init__(self):
        self.parts = []
    def add(self, x):
        self.parts.append(x)
    def all(self):
        return torch.stack(self.parts), torch.hstack(self.parts), torch.cat([p.reshape(1) for p in self.parts])
b = Buf()
b.add(torch.tensor(1)); b.add(torch.tensor(2.5))
show(b.all())
losses = []
for i in range(3):
    losses.append(torch.tensor(i) if i % 2 else torch.tensor(0.5))
show(torch.stack(losses), torch.stack(losses).mean())
def up(a, b):
    return torch.cat((a, b))
show(up(torch.arange(2), torch.ones(2)), up(torch.ones(1), torch.ones(1)))
rows = {"a": torch.arange(3), "b": torch.rand(3) * 0}
show(torch.cat(list(rows.values())), torch.stack([rows[k] for k in rows]))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_is_joined_of_several_kinds(agrees: Callable[..., object], target: str) -> None:
    agrees(JOINED_OF_SEVERAL, target)
