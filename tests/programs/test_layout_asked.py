"""How tensors lie in memory, asked of views and of what is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

TARGETS = ("paddle", "oneflow")
LAID_OUT = """\
import torch
x = torch.tensor([[0.5, 1.5], [1.0, 2.0]])
show({})
"""
COMPUTED = {
    "paddle": ["torch.nonzero(x).is_contiguous()", "torch.arange(4).expand(2, 4).is_contiguous()"],
    "oneflow": ["torch.nonzero(x).is_contiguous()", "x.softmax(0).is_contiguous()", "x[:1][:, None].stride()"],
}


@pytest.mark.parametrize(("target", "asked"), [(target, one) for target in TARGETS for one in COMPUTED[target]])
def test_the_layout_of_what_is_computed_is_marked(outcome: Callable[..., Any], target: str, asked: str) -> None:
    found = outcome(LAID_OUT.format(asked), target)
    assert any(site.outcome == "differs" for site in found.sites)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("asked", ["x.t().stride(), x.t().is_contiguous()", "x[:, 1].stride(0), x.stride()"])
def test_the_layout_of_views_is_not(agrees: Callable[..., Any], target: str, asked: str) -> None:
    ran = agrees(LAID_OUT.format(asked), target)
    assert "migrate:" not in ran.converted["program.py"]


STRIDED = [
    "torch.nonzero(x).as_strided((3,), (1,))",
    "x.t().abs().as_strided((2,), (1,))",
    "torch.as_strided(x.T * 2, (2,), (2,))",
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("asked", STRIDED)
def test_strides_into_what_is_computed_of_a_view_are_marked(
    announced: Callable[..., Any], asked: str, target: str
) -> None:
    announced(LAID_OUT.format(asked), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("asked", ["x.t().as_strided((2,), (1,))", "(x + 1).as_strided((2,), (2,))"])
def test_strides_into_other_tensors_are_not(agrees: Callable[..., Any], asked: str, target: str) -> None:
    ran = agrees(LAID_OUT.format(asked), target)
    assert "migrate:" not in ran.converted["program.py"]


def test_strides_into_what_is_picked_behind_a_range(agrees: Callable[..., Any]) -> None:
    asked = "x[:, [0, 1]].as_strided((3,), (1,)), torch.as_strided(x[:, torch.tensor([1, 0])], (2,), (1,))"
    agrees(LAID_OUT.format(asked), "oneflow")


def test_strides_into_a_softmax_of_a_list(agrees: Callable[..., Any]) -> None:
    """Along another axis than the last OneFlow's lies transposed, whatever name it has come by."""
    asked = "[x, x.softmax(0)][1].as_strided((3,), (1,)), torch.log_softmax(x, 0).as_strided((2,), (2,))"
    agrees(LAID_OUT.format(asked), "oneflow")
