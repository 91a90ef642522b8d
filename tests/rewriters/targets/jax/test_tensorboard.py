"""torch.utils.tensorboard becomes tensorboardX, which takes JAX's arrays and no Variables."""

from __future__ import annotations

from pathlib import PurePosixPath

from rewriters.convert import convert_sources
from rewriters.target import load_target

PROGRAM = b"""import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter("runs")
net = torch.nn.Linear(2, 1)
writer.add_scalar("loss", torch.zeros(3).sum(), 3)
for name, p in net.named_parameters():
    writer.add_histogram(name, p, 3)
writer.close()
"""
CONVERTED = """import jax.numpy as jnp
import tensorboardX
import jax_helpers

writer = tensorboardX.SummaryWriter("runs")
net = jax_helpers.Linear(2, 1)
writer.add_scalar("loss", jnp.zeros((3,), jnp.float32).sum(), 3)
for name, p in net.named_parameters():
    writer.add_histogram(name, p[...], 3)
writer.close()
"""


def test_arrays_are_written() -> None:
    path = PurePosixPath("logged.py")
    assert convert_sources({path: PROGRAM}, load_target("jax")).files[path].decode() == CONVERTED
