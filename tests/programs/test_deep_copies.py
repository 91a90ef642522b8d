"""``copy.deepcopy`` of tensors: whether they ask for gradients, and have one; ``del x.grad``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

COPIED = """
import copy
from copy import deepcopy
import torch
import torch.nn as nn

x = torch.ones(2, requires_grad=True)
y = copy.deepcopy(x)
show(y.requires_grad, y.is_leaf)
d = {"a": x, "b": [torch.zeros(1, requires_grad=True)]}
e = deepcopy(d)
show(e["a"].requires_grad, e["b"][0].requires_grad)
(e["a"] * 2).sum().backward()
show(e["a"].grad, x.grad)

class Box:
    def __init__(self, x):
        self.x = x

show(copy.deepcopy(Box(x)).x.requires_grad)

def again(t):
    return deepcopy(t)

show(again(x).requires_grad)
(x * 3).sum().backward()
z = copy.deepcopy(x)
(z * 2).sum().backward()
show(z.grad, x.grad, again(torch.zeros(1)).requires_grad)
net = nn.Linear(2, 1)
nn.init.ones_(net.weight); nn.init.zeros_(net.bias)
net(torch.ones(1, 2)).sum().backward()
other = copy.deepcopy(net)
best = copy.deepcopy(net.state_dict())
other(torch.ones(1, 2)).sum().backward()
show(other.weight.grad, net.weight.grad, best)
"""
DELETED = """
import torch
import torch.nn as nn

x = torch.ones(2, requires_grad=True)
(x * 2).sum().backward()
del x.grad
show(x.grad is None)
(x * 3).sum().backward()
show(x.grad)
net = nn.Linear(2, 1)
nn.init.ones_(net.weight); nn.init.zeros_(net.bias)
net(torch.ones(1, 2)).sum().backward()

def clear(things):
    for t in things:
        del t.grad

clear(net.parameters())
show([p.grad for p in net.parameters()])
net(torch.ones(1, 2)).sum().backward()
show([p.grad for p in net.parameters()])

class Box:
    pass

b = Box()
b.grad = 3
clear([b])
show(hasattr(b, "grad"))
"""
REENTRANT = """
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
net, head = nn.Linear(2, 1), nn.Linear(1, 1)
for layer in (net, head):
    nn.init.ones_(layer.weight); nn.init.zeros_(layer.bias)
h = checkpoint(net, torch.ones(1, 2), use_reentrant=True)
head(h).sum().backward()
show(net.weight.grad, head.weight.grad)
h = checkpoint(net, torch.ones(1, 2, requires_grad=True), use_reentrant=True)
head(h).sum().backward()
show(net.weight.grad, head.weight.grad)
h = checkpoint(net, torch.ones(1, 2), use_reentrant=False)
head(h).sum().backward()
show(net.weight.grad, head.weight.grad)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", [COPIED, DELETED, REENTRANT], ids=["copied", "deleted", "reentrant"])
def test_are_torchs(agrees: Callable[..., Outcome], program: str, target: str) -> None:
    agrees(program, target)
