"""A BatchNorm whose statistics are means over all batches counts on in Flax NNX where torch left off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

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


def test_batches_are_counted_on(in_jax: Callable[[bytes, str, str], Any]) -> None:
    ours, theirs = in_jax(NET, TRAINED, CONTINUED)
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)
