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


TAKEN_OUT = """
import collections
import torch, torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
del net[0]
show(len(net), list(net.state_dict()), [n for n, _ in net.named_children()])
net = nn.Sequential(nn.Linear(1, 1), nn.Tanh(), nn.Linear(2, 1), nn.Linear(2, 1))
del net[-1]
del net[0:1]
show(len(net), [type(m).__name__ for m in net], [n for n, _ in net.named_children()])
l = nn.ModuleList([nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1)])
del l[0]
show(len(l), list(l.state_dict()))
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
x = net.pop(0)
show(list(net.state_dict()))
net.insert(0, nn.Linear(3, 2))
show(list(net.state_dict()))
net = nn.Sequential(collections.OrderedDict(a=nn.Linear(2, 2), b=nn.ReLU(), c=nn.Linear(2, 1)))
del net[1]
show(list(net.state_dict()))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.classifier = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
def cut(net, n):
    del net.classifier[n]
    return net
net = cut(Net(), -1)
show(list(net.state_dict()), net.classifier(torch.zeros(1, 2)).shape)
classifier = {"a": 1}
d = [1, 2, 3]
del d[0], classifier["a"]
show(d, classifier)
l = nn.ModuleList([nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1)])
l.pop(0)
show(list(l.state_dict()))
l.insert(0, nn.Linear(1, 1))
del l[-1]
show(list(l.state_dict()))
del l[:1]
show(list(l.state_dict()))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_is_left_is_numbered_anew(agrees: Callable[..., object], target: str) -> None:
    agrees(TAKEN_OUT, target)
