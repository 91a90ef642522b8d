"""Who else sees a change in place, as the text of an augmented assignment shows it in Paddle."""

from __future__ import annotations

from collections.abc import Callable

import pytest

BLOCK = """\
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1)
        self.norm = nn.BatchNorm2d(3)

    def forward(self, x):
        identity = x
        out = self.norm(self.conv(x))
        out += identity
        out *= 2
        return out
"""

# (what comes before, whether `y += 1` is seen by others)
SEEN = {
    "new": ("y = x * 2", False),
    "its own name alone": ("y = x * 2\n    z = y\n    z = x", False),
    "the argument": ("y = x", True),
    "a view of the argument": ("y = x.view(-1)", True),
    "a view of something new": ("y = (x * 2).view(-1)", False),
    "perhaps the argument": ("y = x.contiguous()", True),
    "tensors that einops joins": ("import einops\n    y, _ = einops.pack([x, x * 2], '* d')", False),
    "a view that einops gives": ("import einops\n    y = einops.rearrange(x, 'a b -> b a')", True),
    "another name, read later": ("y = x * 2\n    z = y", True),
    "a view, read later": ("y = x * 2\n    z = y[0]", True),
    "kept in a list": ("y = x * 2\n    items.append(y)", True),
    "kept by an attribute": ("y = x * 2\n    f.kept = y", True),
    "handed to an unknown function": ("y = x * 2\n    unknown(y)", True),
    "handed to one that keeps it": ("y = x * 2\n    keep(y)", True),
    "handed to one that looks at it": ("y = x * 2\n    look(y)", False),
    "what a function of the project makes": ("y = make(x)", False),
    "what a function hands back": ("y = same(x)", True),
    "used by a lambda": ("y = x * 2\n    g = lambda: items.append(y)", True),
    "a product of several": ('y = torch.einsum("ij,jk->ik", x, x)', False),
    "a product of several, in a list": ('y = torch.einsum("i,i->i", [x, look(x)])', False),
    "a product of what is not known": ('y = torch.einsum("ij,jk->ik", *unknown(), x)', True),
    "axes of one tensor": ('y = torch.einsum("ij->ji", x)', True),
    "axes by numbers": ("y = torch.einsum(x, unknown(), unknown())", True),
    "pairs of several": ("y = torch.cartesian_prod(x, x * 2)", False),
    "pairs of one": ("y = torch.cartesian_prod(x)", True),
    "on one of two ways": ("y = x * 2\n    if x.sum() > 0:\n        y = x", True),
    "a global": ("y = GLOBAL", True),
}
FUNCTIONS = """\
import torch

items = []
GLOBAL = torch.ones(2)


def keep(value):
    items.append(value)


def look(value):
    return value.sum()


def make(value):
    return value + 1


def same(value):
    return value.view(-1)


def f(x: torch.Tensor):
    {before}
    y += 1
    return y, {after}
"""


def test_stays_where_nobody_else_sees_it(converted: Callable[..., str]) -> None:
    assert "        out += identity\n        out *= 2\n" in converted(BLOCK, "paddle")


@pytest.mark.parametrize("name", SEEN)
def test_seen(converted: Callable[..., str], name: str) -> None:
    before, seen = SEEN[name]
    text = converted(FUNCTIONS.format(before=before, after="z" if "z = " in before else "1"), "paddle")
    assert ("    y += 1\n" not in text) == seen


ADAPTER = """\
import torch
import torch.nn as nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.drops = nn.ModuleDict({})
        self.ranks = nn.ParameterDict({})

    def add(self, name, rank, p, init):
        self.drops.update(nn.ModuleDict({name: nn.Dropout(p=p)}))
        self.ranks[name] = nn.Parameter(torch.randn(1), requires_grad=False)
        self.ranks[name].data.fill_(float(rank))
        if init:
            self.reset(name, p, init)

    def reset(self, name, p, init):
        print(name, p, init)
"""


def test_making_a_layer_of_dropout_gives_no_part_of_its_probability(converted: Callable[..., str]) -> None:
    """What calling the layer gives may be what it is called with; the layer itself is not."""
    assert "# migrate:" not in converted(ADAPTER, "paddle")


DEVICE_KEPT = """\
from typing import NamedTuple

import numpy as np
import torch
import torch.nn as nn


class Samples(NamedTuple):
    rewards: torch.Tensor


class Buffer:
    def __init__(self, rows, device):
        self.rows, self.device = rows, device

    def as_tensor(self, array):
        return torch.as_tensor(array, device=self.device)

    def sample(self, indices):
        return Samples(*tuple(map(self.as_tensor, (self.rows[indices, :],))))


class Net(nn.Module):
    pass


device = torch.device("cpu")
target = Net().to(device)
rows, indices = np.ones((4, 2), dtype=np.float32), [0, 1]
buffer = Buffer(rows, device)
for step in range(2):
    if step > 1:
        data = buffer.sample(indices)
        with torch.no_grad():
            best = data.rewards.flatten()
    for parameter, other in zip(target.parameters(), target.parameters()):
        parameter.data.copy_(parameter.data * 0.5 + other.data * 0.5)
"""


def test_a_device_joins_no_tensors(converted: Callable[..., str]) -> None:
    """A buffer and a network that are given one device: nothing else is in the memory of both."""
    assert "# migrate: differs" not in converted(DEVICE_KEPT, "oneflow")


LAYERS = """\
import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, count, attention):
        super().__init__()
        self.count, self.attention = count, attention
        self.drops = nn.ModuleList([nn.Dropout(0.1) for _ in range(count)])

    def forward(self, x):
        more, kept = self.attention(x, x)
        out = []
        for i in range(self.count):
            z = self.drops[i](x)
            out.append(z)
        return torch.stack(out, dim=1) + more
"""


def test_one_of_several_layers_changes_what_it_is_given_where_one_is_made_so(converted: Callable[..., str]) -> None:
    assert "# migrate: differs" not in converted(LAYERS, "paddle")
    assert "# migrate: differs" in converted(LAYERS.replace("(0.1)", "(0.1, True)"), "paddle")


def test_a_layer_that_is_stored_is_what_is_stored_under_its_name(converted: Callable[..., str]) -> None:
    """Also where it is made without arguments, and another of its class is made that changes what it is given."""
    stored = LAYERS.replace("nn.ModuleList([nn.Dropout(0.1) for _ in range(count)])", "nn.Dropout()")
    stored = stored.replace("self.drops[i](x)", "self.drops(x)")
    assert "# migrate: differs" not in converted(stored + "\n\nOTHERS = [nn.Dropout(0.1, True)]\n", "paddle")
