"""Layers of a project that uses autocast keep their parameters as Flax NNX's own do: what is carried over fits them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

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


def test_layers_in_autocast_are_filled(in_jax: Callable[[bytes, str, str], Any]) -> None:
    ours, theirs = in_jax(NET, SAVED, LOADED)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
