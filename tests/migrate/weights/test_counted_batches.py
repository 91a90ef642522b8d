"""A BatchNorm whose statistics are means over all batches counts on in Flax NNX where torch left off."""

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

def make():
    return torch.nn.Sequential(torch.nn.BatchNorm1d(3, momentum=None), torch.nn.BatchNorm1d(3))
"""
TRAINED = """
import json, sys, torch
from net import make
model = make().train()
batches = torch.arange(60.0).view(4, 5, 3).sin()
for batch in batches[:3]:
    model(batch)
torch.save(model.state_dict(), "net.pt")
model(batches[3])
print(json.dumps([model[0].running_mean.tolist(), model[0].running_var.tolist()]))
"""
CONTINUED = """
import json, sys
import jax.numpy as jnp, safetensors.flax
from flax import nnx
from net import make
model = make()
{load}
model.train()
model(jnp.sin(jnp.arange(60, dtype=jnp.float32).reshape(4, 5, 3))[3])
print(json.dumps([model.layers[0].running_mean[...].tolist(), model.layers[0].running_var[...].tolist()]))
"""


def test_batches_are_counted_on(
    run_python: Callable[..., str], torch_python: Interpreter, jax_python: Interpreter, tmp_path: Path
) -> None:
    (tmp_path / "net.py").write_bytes(NET)
    theirs = json.loads(run_python(torch_python, dedent(TRAINED), cwd=tmp_path))
    output = tmp_path / "net.jax.safetensors"
    written = convert_checkpoint(tmp_path / "net.pt", output, model="net:make", project=tmp_path)
    made = convert_sources({PurePosixPath("net.py"): NET}, load_target("jax"))
    folder = tmp_path / "converted"
    folder.mkdir()
    for path, data in made.files.items():
        (folder / path).write_bytes(data)
    for path, text in made.helpers.items():
        (folder / path).write_text(text)
    ours = json.loads(run_python(jax_python, CONTINUED.format(load=written.load), cwd=folder))
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)
