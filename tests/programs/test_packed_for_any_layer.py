"""Packed sequences that are handed to what may be any recurrent layer."""

from __future__ import annotations

from collections.abc import Callable

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


def test_runs(agrees: Callable[..., Outcome]) -> None:
    agrees(PROGRAM, "paddle")
