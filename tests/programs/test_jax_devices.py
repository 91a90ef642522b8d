"""Training over several devices: of JAX one process has them all, of torch here one."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from migrate.environments import Interpreter
from migrate.programs import Outcome, Programs

PROGRAM = """
import tempfile
import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.first = nn.Linear(4, 5)
        self.last = nn.Linear(5, 3)

    def forward(self, x):
        return self.last(torch.tanh(self.first(self.norm(x))))


def train(net: Net):
    net.load_state_dict({k: torch.linspace(-0.6, 0.7, v.numel()).reshape(v.shape) for k, v in net.state_dict().items()})
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)
    for i in range(4):
        x = torch.linspace(-1, 1 + i / 3, 32).reshape(8, 4).sin() * (i + 1)
        y = torch.arange(8) % 3
        if i == 2:
            x, y = x[:5], y[:5]
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        show(loss)
    show(model.state_dict()["module.norm.running_var"], dist.get_rank(), dist.get_world_size())
    show(model.mesh.size if hasattr(model, "mesh") else 4)


dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)
train(Net())
dist.destroy_process_group()
"""


def test_batches_are_shared_out_over_four_devices(
    torch_python: Interpreter, jax_python: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=4")
    with Programs("jax", torch_python, jax_python) as programs:
        found = programs.run(dedent(PROGRAM), 60.0)
    assert found.torch.error is None, found.torch.error
    assert found.verdict == "agrees", str(found)


COLLECTIVES = """
import tempfile
import torch
import torch.distributed as dist
import torch.nn as nn


def reduced(values):
    with torch.no_grad():
        found = torch.stack([values[name] for name in sorted(values)])
        dist.all_reduce(found)
        found /= dist.get_world_size()
        return {name: float(value) for name, value in zip(sorted(values), found)}


def averaged(net: nn.Module):
    for p in net.parameters():
        dist.all_reduce(p.grad.data, op=dist.ReduceOp.SUM)
        p.grad.data /= dist.get_world_size()


dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)
total = torch.ones(2)
begun = [dist.all_reduce(total, async_op=True), dist.broadcast(total, 0, async_op=True)]
show([one.wait() for one in begun][1:] != [], total, reduced({"b": torch.tensor(1.0), "a": torch.tensor(2.0)}))
net = nn.Linear(2, 1)
nn.init.ones_(net.weight)
nn.init.zeros_(net.bias)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.ones(4, 2)).pow(2).mean()
    loss.backward()
    averaged(net)
    opt.step()
    show(loss.item())
dist.destroy_process_group()
"""


def test_collectives_of_one_process(outcome: Callable[..., Outcome]) -> None:
    found = outcome(COLLECTIVES, "jax")
    assert found.verdict == "agrees", str(found)
    assert not [site for site in found.sites if site.outcome in {"differs", "marked"}], str(found)
