"""Scattering in place into what changes afterwards, where a gradient goes through both."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

TWICE = """
import torch
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
i, j = torch.tensor({places}), torch.tensor([2, 0, 1])
d = torch.zeros(4)
{first}
{then}
d.pow(2).sum().backward()
show(d.detach(), v.grad)
"""
CALLS = {
    "added twice": "d.scatter_add_(0, {}, {})",
    "added by index twice": "d.index_add_(0, {}, {})",
    "put twice": "d.index_put_(({},), {}, accumulate=True)",
    "scattered twice": "d.scatter_(0, {}, {})",
}
PROGRAMS = {
    name: TWICE.format(
        places=[0, 1, 2] if name == "scattered twice" else [0, 1, 1],
        first=call.format("i", "v * 2"),
        then=call.format("j", "v * v"),
    )
    for name, call in CALLS.items()
} | {
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
