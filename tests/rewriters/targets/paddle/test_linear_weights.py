"""Paddle's Linear has the transposed weight: what reads torch's weight, or derives from its class, keeps torch's."""

from __future__ import annotations

from collections.abc import Callable

SOURCE = """
import torch
import torch.nn as nn
import torch.nn.functional as F

class Halved(nn.Linear):
    def forward(self, x):
        return F.linear(x, self.weight[:, 2:], self.bias)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Halved(3, 4, bias=False)
        self.b = nn.Linear(3, 4)

    def forward(self, x):
        known = isinstance(self.a, nn.Linear)
        return F.linear(x, self.b.weight, self.b.bias) if known else x
"""
EXPECTED = """
import paddle
import paddle.nn as nn
import paddle.nn.functional as F

class Halved(paddle.compat.nn.Linear):
    def forward(self, x):
        return paddle.compat.nn.functional.linear(x, self.weight[:, 2:], self.bias)

class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.a = Halved(3, 4, bias=False)
        self.b = nn.Linear(3, 4)

    def forward(self, x):
        known = isinstance(self.a, (nn.Linear, paddle.compat.nn.Linear))
        return F.linear(x, self.b.weight, self.b.bias) if known else x
"""
TIED = """
from torch import nn

class GPT(nn.Module):
    def __init__(self, n, c):
        super().__init__()
        self.transformer = nn.ModuleDict(dict(wte=nn.Embedding(n, c)))
        self.lm_head = nn.Linear(c, n, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
"""


def test_derived_and_functional(check_converted: Callable[..., None]) -> None:
    check_converted(SOURCE, EXPECTED)


def test_tied_through_a_module_dict(converted: Callable[..., str]) -> None:
    assert "self.lm_head = paddle.compat.nn.Linear(c, n, bias=False)" in converted(TIED)


def test_attributes_that_hold_each_other_are_followed_once(converted: Callable[..., str]) -> None:
    names = range(14)
    handed = "".join(f"        self.a{i} = x.a{j}\n" for i in names for j in names if i != j)
    text = converted(
        "import torch.nn as nn\nclass M(nn.Module):\n    def __init__(self, x):\n        super().__init__()\n"
        f"        self.a0 = nn.Linear(2, 3)\n{handed}    def forward(self, x):\n        return self.a1.weight.t()\n"
    )
    assert "paddle.compat.nn.Linear(2, 3)" in text


def test_numbers_that_a_weight_is_filled_with(converted: Callable[..., str]) -> None:
    text = converted(
        "import torch.nn as nn\n\ndef begun(m, mean, spread):\n    m.weight.data.normal_(mean, spread)\n\n"
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.fc = nn.Linear(2, 3)\n        for m in self.children():\n            begun(m, *what())\n"
    )
    assert "self.fc = nn.Linear(2, 3)" in text
