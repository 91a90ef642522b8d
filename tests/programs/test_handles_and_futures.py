"""Handles of hooks by their annotation, and classes of which no program has an object in a target."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch
import torch.nn as nn
from torch.futures import Future
from torch.utils.hooks import RemovableHandle
from typing import List, Union
class Recorder:
    def __init__(self, net: nn.Module):
        self.net = net
        self.handles: List[RemovableHandle] = []
        self.seen = []
    def attach(self) -> List[RemovableHandle]:
        for m in self.net.children():
            self.handles.append(m.register_forward_hook(lambda m, i, o: self.seen.append(o.detach().sum().item())))
        return self.handles
    def detach(self, more: List[RemovableHandle]) -> None:
        for handle in more:
            handle.remove()
def run(net, x) -> Union[torch.Tensor, Future[torch.Tensor]]:
    out = net(x)
    if isinstance(out, torch.futures.Future):
        out = out.value()
    assert isinstance(out, (torch.Tensor, Future))
    return out
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
for p in net.parameters():
    nn.init.constant_(p, 0.5)
r = Recorder(net)
handles = r.attach()
a = run(net, torch.ones(1, 2))
r.detach(handles)
run(net, torch.ones(1, 2))
show(a.detach(), r.seen)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_hooks_are_removed_and_nothing_is_a_future(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(PROGRAM, target)
