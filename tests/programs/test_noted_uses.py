"""Uses that convert, and of which the report says what differs a little."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

CROSS_ENTROPY = """
import torch
import torch.nn.functional as F
p = torch.tensor([0.2, 0.7], requires_grad=True)
F.binary_cross_entropy(p, torch.tensor([0.3, 0.9])).backward()
show(p.grad)
"""
LOADED = """
import os
import tempfile
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
nn.init.ones_(net.weight); nn.init.zeros_(net.bias)
path = os.path.join(tempfile.mkdtemp(), "net.pt")
torch.save(net.state_dict(), path)
other = nn.Linear(2, 1)
loaded = torch.load(path)
other.load_state_dict(loaded)
show(other(torch.ones(1, 2)))
"""
STATE = """
import torch
p = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([p], lr=0.1, momentum=0.9)
p.sum().backward()
opt.step()
opt.load_state_dict(opt.state_dict())
opt.step()
show(p)
"""


@pytest.mark.parametrize(
    ("target", "api", "program"),
    [
        ("paddle", "torch.nn.functional.binary_cross_entropy", CROSS_ENTROPY),
        ("paddle", "torch.load", LOADED),
        ("oneflow", "torch.load", LOADED),
        ("oneflow", "torch.optim.Optimizer.load_state_dict", STATE),
    ],
)
def test_are_listed(agrees: Callable[..., Outcome], target: str, api: str, program: str) -> None:
    found = agrees(program, target)
    assert "noted" in {site.outcome for site in found.sites if site.api.partition(":")[0] == api}, found.sites
