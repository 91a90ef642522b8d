"""Weights that go from one model to another by a file or a container."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TRAVELLING = """
    import tempfile

    import torch
    from torch import nn

    teacher = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3))
    with torch.no_grad():
        for number, weight in enumerate(teacher.parameters()):
            weight.copy_(torch.arange(1.0, weight.numel() + 1).reshape(weight.shape) * 0.1 - number * 0.05)
    show(teacher[0].weight[:, 0])
    STORED
    student = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3))
    student.load_state_dict(TAKEN)
    x = torch.tensor([[1.0, -2.0, 3.0]])
    show(teacher(x), student(x))
"""


@pytest.mark.parametrize(
    ("stored", "taken"),
    [
        ('states = {"first": teacher.state_dict()}', 'states["first"]'),
        ("states = []; states.append(teacher.state_dict())", "states[-1]"),
        ('path = tempfile.mkdtemp() + "/a.pt"; torch.save(teacher.state_dict(), path)', "torch.load(path)"),
        ("states = [teacher.state_dict() for _ in range(1)]", "dict(states[0])"),
    ],
)
def test_weights_that_travel(agrees: Callable[..., object], stored: str, taken: str) -> None:
    agrees(TRAVELLING.replace("STORED", stored).replace("TAKEN", taken), "paddle")
