"""Layers of a Sequential by their places: torch's parts keep names, and what is put there takes the other's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
import collections

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(2, 2), nn.ReLU()) for _ in range(2)])

    def forward(self, x):
        return self.features(x)


class Chain(nn.Sequential):
    pass


def fit(net, head):
    net.features[-1] = nn.Linear(2, 3)
    net.tail = net.features[1:]
    net.blocks[-1] = head
    return net


def names(module):
    return list(module.state_dict())


net = fit(Net(), nn.Linear(2, 4))
show(names(net), list(net(torch.ones(1, 2)).shape))

chain = Chain(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))
chain[-1] = nn.Linear(2, 5)
show(len(chain), list(chain(torch.ones(1, 2)).shape), names(chain[1:]), type(chain[1:]) is Chain)
chain[len(chain) - 1] = nn.Linear(2, 6)
show(len(chain), list(chain(torch.ones(1, 2)).shape), names(chain[:2]))

named = nn.Sequential(collections.OrderedDict(a=nn.Linear(2, 2), b=nn.ReLU(), c=nn.Linear(2, 3)))
named[2] = nn.Linear(2, 8)
for i, layer in enumerate(named):
    if isinstance(layer, nn.ReLU):
        named[i] = nn.Tanh()
show(names(named), names(named[1:]), names(named[::2]), [type(one) is nn.Tanh for one in named])

numbers = [1, 2, 3]
features = [4, 5, 6]
numbers[-1] = features[1:]
show(numbers, features[-2:])

listed = nn.ParameterList()
listed.append(None)
listed.append(nn.Parameter(torch.ones(2)))
show(len(listed), listed[0] is None, [name for name, _ in listed.named_parameters()], names(listed))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_layers_by_their_places(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)


CALLED = """
import torch
import torch.nn as nn
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    def forward(self, x):
        h = self.layers[:1](x)
        return self.layers[1:](h)
show(N()(torch.ones(2)))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_parts_that_are_called(agrees: Callable[..., object], target: str) -> None:
    agrees(CALLED, target)
