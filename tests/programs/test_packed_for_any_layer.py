"""Packed sequences that are handed to what may be any recurrent layer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch, torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
KINDS = {"gru": nn.GRU, "lstm": nn.LSTM, "rnn": nn.RNN}
class Enc(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.rnn = KINDS[kind](3, 4, batch_first=True)
    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, n = pad_packed_sequence(out, batch_first=True)
        if isinstance(h, tuple):
            h = h[0]
        return out, h, n
for kind in ("gru", "lstm", "rnn"):
    e = Enc(kind)
    for p in e.parameters():
        nn.init.constant_(p, 0.1)
    o, h, n = e(torch.arange(18.0).reshape(2, 3, 3) / 10, torch.tensor([2, 3]))
    show(o, h, n)
def run(layer, packed):
    return layer(packed)
g = nn.GRU(3, 4)
for p in g.parameters():
    nn.init.constant_(p, 0.1)
out, h = run(g, nn.utils.rnn.pack_sequence([torch.ones(3, 3), torch.zeros(2, 3)]))
show(out.data, h)
class Tell(nn.Module):
    def forward(self, packed):
        return packed.data.sum()
show(run(Tell(), nn.utils.rnn.pack_sequence([torch.ones(3, 3)])))
class Any(nn.Module):
    def __init__(self, core):
        super().__init__()
        self.core = core
    def forward(self, x):
        return self.core(nn.utils.rnn.pack_padded_sequence(x, [2, 1]))[0].data
show(Any(g)(torch.ones(2, 2, 3)))
"""

UNSORTED = """
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pack_sequence, PackedSequence, unpack_sequence
x = torch.sin(torch.arange(24.0)).view(3, 4, 2).requires_grad_()
lens = torch.tensor([2, 4, 3])
def filled(m):
    for i, p in enumerate(m.parameters()):
        p.data = torch.sin(torch.arange(p.numel()) * 0.7 + i).view(p.size()) * 0.4
    return m
class Squashed(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = filled(nn.LSTM(2, 3, batch_first=True))
    def forward(self, x: PackedSequence) -> PackedSequence:
        out, _ = self.rnn(x)
        return PackedSequence(torch.tanh(out.data), x.batch_sizes, x.sorted_indices, x.unsorted_indices)
for m in (nn.LSTM(2, 3, batch_first=True, bidirectional=True), nn.GRU(2, 3, num_layers=2, batch_first=True)):
    packed = pack_padded_sequence(x, lens, batch_first=True, enforce_sorted=False)
    out, h = filled(m)(packed)
    y, n = pad_packed_sequence(out, batch_first=True, total_length=5)
    y.pow(2).sum().backward()
    show(y, n, h, x.grad, m.weight_hh_l0.grad, isinstance(out, PackedSequence))
show(filled(nn.GRU(2, 3, batch_first=True))(packed, torch.arange(9.0).view(1, 3, 3))[1])
show(packed.data, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
show(pad_packed_sequence(Squashed()(pack_padded_sequence(x.detach(), lens.tolist(), True, False)), True)[0])
packed = pack_padded_sequence(x.detach(), lens, batch_first=True, enforce_sorted=False)
data, sizes, places, back = packed
show(data, sizes, places, back, packed[0])
rows = pack_sequence([torch.ones(2), torch.arange(3.0)], enforce_sorted=False)
show(rows.data, unpack_sequence(rows), *pad_packed_sequence(rows))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_unsorted_rows(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(UNSORTED, target)


def test_runs(agrees: Callable[..., Outcome]) -> None:
    agrees(PROGRAM, "paddle")
