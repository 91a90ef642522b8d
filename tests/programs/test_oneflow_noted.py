"""What OneFlow computes a little otherwise is noted at each use, and is as docs/oneflow.md says."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "torch.optim.Adam": """
import torch
p = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.Adam([p], lr=0.1)
p.grad = torch.ones(2)
optimizer.step()
show(p)
""",
    "torch.nn.functional.cross_entropy": """
import torch
import torch.nn.functional as F
show(F.cross_entropy(torch.tensor([[0.5, 1.5]]), torch.tensor([1])))
""",
    "torch.nn.functional.elu": """
import torch
import torch.nn.functional as F
show(F.elu(torch.tensor([-1.0, 2.0])))
""",
}
CLAMPED = """
import torch
i = torch.tensor([1, 2, 3])
show(i.clamp(min=torch.tensor(1.5)), torch.clamp(i, max=torch.tensor([2.5, 2.5, 2.5])), i.clamp(min=torch.tensor(2)))
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_differs_a_little_is_noted(name, agrees):
    found = agrees(PROGRAMS[name], "oneflow")
    assert "noted" in {site.outcome for site in found.sites if site.api == name}


def test_integers_are_clamped_by_tensors_of_fractions(agrees):
    agrees(CLAMPED, "oneflow")
