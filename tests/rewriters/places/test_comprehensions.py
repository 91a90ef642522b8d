"""What a comprehension unpacks of what a call hands on has no expression of its own."""

from __future__ import annotations

from pathlib import PurePosixPath

from rewriters.convert import convert_sources
from rewriters.target import load_target

HEADS = """\
import torch
from torch import nn
from other import Attention


class Norm(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.scale * (x - mean) / (std + 1e-6) + self.scale


class Sublayer(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = Norm(size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))


class Heads(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(size, size) for _ in range(3)])
        self.attention = Attention()
        self.out = nn.Linear(6, 6)

    def forward(self, query, key, value, mask=None):
        query, key, value = [l(x).view(2, -1, 2, 3).transpose(1, 2) for l, x in zip(self.layers, (query, key, value))]
        x, attn = self.attention(query, key, value, mask=mask)
        return self.out(x.transpose(1, 2).contiguous().view(2, -1, 6))


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.attention = Heads(size)
        self.input = Sublayer(size)
        self.output = Sublayer(size)
        self.feed = nn.Linear(6, 6)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, mask):
        x = self.input(x, lambda y: self.attention.forward(y, y, y, mask=mask))
        x = self.output(x, self.feed)
        return self.dropout(x)
"""


def test_pairs_of_a_comprehension_in_a_function_that_is_summed_up() -> None:
    path = PurePosixPath("a.py")
    done = convert_sources({path: HEADS.encode()}, load_target("paddle"))
    assert "torch" not in done.files[path].decode()
