"""JAX: functions made of training steps are indented as the file is."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from rewriters.convert import convert_sources
from rewriters.target import load_target

PROGRAM = """
import torch
from torch import nn

model = nn.Linear(2, 1)
with torch.no_grad():
    model.weight.fill_(0.5)
    model.bias.fill_(0.25)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(model, optimizer, x):
    for turn in range(3):
        loss = 0.0
        for row in (0, 1):
            if row:
                loss = loss + model(x[row]).square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss


show(train(model, optimizer, torch.ones(2, 2)).detach(), model.weight.detach())
"""


@pytest.mark.parametrize("step", ["\t", "  ", "    "])
def test_training_steps_are_indented_as_the_file_is(agrees, step):
    program = PROGRAM.replace("    ", step)
    name = PurePosixPath("program.py")
    lines = convert_sources({name: program.encode()}, load_target("jax")).files[name].decode().splitlines()
    assert any(line.startswith(f"{step}def loss_fn") for line in lines)
    assert any(line.startswith(f"{step}{step}return loss") for line in lines)
    agrees(program, "jax")
