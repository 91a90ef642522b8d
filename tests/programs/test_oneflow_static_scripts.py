"""OneFlow, ``--static``: training that a script does at its top, not in a function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from textwrap import dedent
from typing import Any

import pytest

from rewriters.convert import convert_sources
from rewriters.target import load_target

PATH = PurePosixPath("program.py")

HEAD = """
    import torch
    from torch import nn
    net = nn.Linear(2, 2)
    nn.init.constant_(net.weight, 0.5); nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    data = [torch.ones(1, 2) * (i + 1) for i in range(3)]
"""
RIGHT_ABOVE = """
    for x in data:
        y = net(x)
        loss = (y - x).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        show(loss.detach(), net.weight.detach())
"""
BELOW_A_COMMENT = """
    def told(loss):
        show(loss.detach(), net.weight.detach())

    # Train.
    for x in data:
        opt.zero_grad()
        loss = (net(x) - x).abs().mean()
        loss.backward()
        opt.step()
        told(loss)
"""
CHANGED_BETWEEN = """
    for x in data:
        y = net(x.clone())
        x.mul_(3)
        loss = (y - x).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        show(loss.detach(), net.weight.detach())
"""


@pytest.mark.parametrize("loop", [RIGHT_ABOVE, BELOW_A_COMMENT])
def test_its_graph_is_made_behind_its_class(loop: str) -> None:
    # Graphs of several programs in one process end it at times.
    done = convert_sources({PATH: dedent(HEAD + loop).encode()}, load_target("oneflow"), static=True)
    text = (done.files[PATH] or b"").decode()
    assert text.index("class TrainGraph") < text.index("train_graph = train_step(TrainGraph, [net], opt)")


def test_what_changes_in_place_between_forward_and_loss_keeps_it_eager(agrees: Callable[..., Any]) -> None:
    text = agrees(HEAD + CHANGED_BETWEEN, "oneflow_static").converted["program.py"]
    assert "changes what goes into the graph between forward and loss" in text
