"""Layers of a project that uses autocast keep their parameters as Flax NNX's own do: what is carried over fits them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from textwrap import dedent

import numpy as np
import pytest

from migrate.environments import Interpreter
from migrate.weights.convert import convert_checkpoint
from rewriters.convert import convert_sources
from rewriters.target import load_target

pytestmark = pytest.mark.framework

NET = b"""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.image = nn.Conv2d(2, 3, 3)
        self.up = nn.ConvTranspose2d(3, 2, 2)
        self.out = nn.Linear(2, 4)

    def forward(self, x):
        with torch.autocast("cpu", enabled=False):
            return self.out(self.up(self.image(x)).movedim(1, -1))

def make():
    return Net()
"""
SAVED = """
import json, torch
from net import make
model = make()
torch.save(model.state_dict(), "net.pt")
print(json.dumps(model(torch.arange(100.0).reshape(1, 2, 10, 5).sin()).tolist()))
"""
LOADED = """
import json
import jax.numpy as jnp, safetensors.flax
from flax import nnx
from net import make
model = make()
{load}
print(json.dumps(model(jnp.sin(jnp.arange(100.0, dtype=jnp.float32).reshape(1, 2, 10, 5))).tolist()))
"""


def test_layers_in_autocast_are_filled(
    run_python: Callable[..., str], torch_python: Interpreter, jax_python: Interpreter, tmp_path: Path
) -> None:
    (tmp_path / "net.py").write_bytes(NET)
    theirs = json.loads(run_python(torch_python, dedent(SAVED), cwd=tmp_path))
    output = tmp_path / "net.jax.safetensors"
    written = convert_checkpoint(tmp_path / "net.pt", output, model="net:make", project=tmp_path)
    made = convert_sources({PurePosixPath("net.py"): NET}, load_target("jax"))
    folder = tmp_path / "converted"
    folder.mkdir()
    for path, data in made.files.items():
        (folder / path).write_bytes(data)
    for path, text in made.helpers.items():
        (folder / path).write_text(text)
    ours = json.loads(run_python(jax_python, LOADED.format(load=written.load), cwd=folder))
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
