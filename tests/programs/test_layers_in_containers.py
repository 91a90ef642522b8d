"""Linears that reach a model by lists, tuples and other modules keep torch's weight where all weights are written."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

MADE = {
    "added to a list": """
        layers = []
        layers += [nn.Linear(3, 2), nn.ReLU()]
        layers.append(nn.Linear(2, 4))
        net = nn.Sequential(*layers)
    """,
    "added to a list in a loop": """
        layers = []
        d = 3
        for h in (2, 4):
            layers += [nn.Linear(d, h), nn.LayerNorm(h)]
            d = h
        net = nn.Sequential(*layers)
    """,
    "appended one after the other": """
        net = nn.Sequential()
        net.append(nn.Linear(3, 2)).append(nn.Linear(2, 4))
    """,
    "stored under a computed name": """
        net = nn.Module()
        for i in range(2):
            setattr(net, f"fc{i}", nn.Linear(3, 2 + i))
    """,
    "stored in parts of a plain module": """
        net = nn.Module()
        net.fc = nn.Linear(3, 2)
        net.body = nn.Sequential()
        net.body.head = nn.Linear(2, 4)
    """,
    "unpacked from a named tuple": """
        from typing import NamedTuple
        class P(NamedTuple):
            a: nn.Module
            b: nn.Module
        p = P(nn.Linear(3, 2), nn.Linear(2, 4))
        net = nn.Sequential(*p)
    """,
    "appended by a function to a name around it": """
        layers = []
        def add(a, b):
            layers.append(nn.Linear(a, b))
        add(3, 2)
        add(2, 4)
        net = nn.Sequential(*layers)
    """,
    "appended to what a function is given": """
        def add(out, a, b):
            out.append(nn.Linear(a, b))
        layers = []
        add(layers, 3, 2)
        net = nn.Sequential(*layers)
    """,
}
HEAD = "import torch\nimport torch.nn as nn\nimport numpy as np\n"
FILLED = """
rng = np.random.RandomState(0)
for p in net.parameters():
    if p.dim() > 1:
        p.data = torch.from_numpy(rng.randn(*p.shape).astype(np.float32))
    else:
        p.data.zero_()
show([tuple(p.shape) for p in net.parameters()])
x = torch.linspace(-1, 1, 6).view(2, 3)
show([m(x) for m in net.modules() if isinstance(m, nn.Linear) and m.in_features == 3])
"""


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_they_are_filled_as_in_torch(agrees: Callable[..., object], made: str) -> None:
    agrees(HEAD + dedent(made) + FILLED, "paddle")
