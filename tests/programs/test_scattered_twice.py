"""Scattering in place into what changes afterwards, where a gradient goes through both."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAMS = {
    "added twice": """
import torch
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
i, j = torch.tensor([0, 1, 1]), torch.tensor([2, 0, 1])
d = torch.zeros(4)
d.scatter_add_(0, i, v * 2)
d.scatter_add_(0, j, v * v)
d.pow(2).sum().backward()
show(d.detach(), v.grad)
""",
    "added by index twice": """
import torch
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
i, j = torch.tensor([0, 1, 1]), torch.tensor([2, 0, 1])
d = torch.zeros(4)
d.index_add_(0, i, v * 2)
d.index_add_(0, j, v * v)
d.pow(2).sum().backward()
show(d.detach(), v.grad)
""",
    "put twice": """
import torch
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
i, j = torch.tensor([0, 1, 1]), torch.tensor([2, 0, 1])
d = torch.zeros(4)
d.index_put_((i,), v * 2, accumulate=True)
d.index_put_((j,), v * v, accumulate=True)
d.pow(2).sum().backward()
show(d.detach(), v.grad)
""",
    "scattered twice": """
import torch
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
i, j = torch.tensor([0, 1, 2]), torch.tensor([2, 0, 1])
d = torch.zeros(4)
d.scatter_(0, i, v * 2)
d.scatter_(0, j, v * v)
d.pow(2).sum().backward()
show(d.detach(), v.grad)
""",
    "in a loop": """
import torch
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
i, j = torch.tensor([0, 1, 2]), torch.tensor([2, 0, 1])
d = torch.zeros(3, 4)
for k, one in enumerate((i, j)):
    d.scatter_add_(1, one[:, None], (v * (k + 1))[:, None])
    d[:, k] = d[:, k] + v
d.pow(2).sum().backward()
show(d.detach(), v.grad)
""",
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_gradients_go_through_both(agrees: Callable[..., Outcome], program: str, target: str) -> None:
    agrees(program, target)


def test_what_changes_once_stays_plain(agrees: Callable[..., Outcome]) -> None:
    program = PROGRAMS["added twice"].replace("d.scatter_add_(0, j, v * v)\n", "")
    assert "d.put_along_axis_(" in agrees(program, "paddle").converted["program.py"]
