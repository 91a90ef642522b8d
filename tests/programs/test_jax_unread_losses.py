"""JAX: a loss that nobody reads behind its gradients is bound to nothing."""

from __future__ import annotations

from pathlib import PurePosixPath

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
        unread = model(x).square().sum()
        optimizer.zero_grad()
        unread.backward()
        optimizer.step()


def watched(model, optimizer, x):
    seen = model(x).square().sum()
    optimizer.zero_grad()
    seen.backward()
    optimizer.step()
    return locals()["seen"].detach()


train(model, optimizer, torch.ones(2, 2))
show(model.weight.detach())
show(watched(model, optimizer, torch.ones(2, 2)))
show(model.weight.detach())
"""


def test_a_loss_that_nobody_reads_is_bound_to_nothing(agrees):
    name = PurePosixPath("program.py")
    text = convert_sources({name: PROGRAM.encode()}, load_target("jax")).files[name].decode()
    assert "unread = train_step" not in text
    assert "return unread\n\n    _, grads" in text
    assert "    seen = train_step" in text
    agrees(PROGRAM, "jax")
