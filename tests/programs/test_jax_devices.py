"""Training over several devices: of JAX one process has them all, of torch here one."""

from __future__ import annotations

from textwrap import dedent

import pytest

from migrate.environments import Interpreter
from migrate.programs import Programs

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
