"""What targets make of infinities, NaN and numbers far apart is noted at each use, as their pages in docs/ say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

USES = {
    "torch.nn.functional.log_softmax": ("F.log_softmax(torch.tensor([-inf, 1.0]), 0)", [-64.0, 0.0]),
    "torch.nn.functional.cross_entropy": ("F.cross_entropy(torch.tensor([[100.0, 0.0]]), torch.tensor([1]))", [64.0]),
    "torch.logsumexp": ("torch.logsumexp(torch.tensor([-inf, -inf]), 0).nan_to_num(7.0)", [7.0]),
    "torch.Tensor.max": ("torch.tensor([1.0, -inf + inf, 2.0]).max(0)[0]", [2.0]),
    "torch.sign": ("torch.sign(torch.tensor([-inf + inf])).nan_to_num(7.0)", [7.0]),
    "torch.relu": ("torch.relu(torch.tensor([-inf + inf, 1.0]))", [0.0, 1.0]),
    "torch.nn.functional.max_pool1d": ("F.max_pool1d(torch.tensor([[[1.0, -inf + inf, 2.0]]]), 3)", [2.0]),
    "torch.nn.functional.logsigmoid": ("F.logsigmoid(torch.tensor([-inf])).nan_to_num(7.0)", [7.0]),
    "torch.searchsorted": ("torch.searchsorted(torch.tensor([0.0, 1.0]), torch.tensor([-inf]))", [2]),
    "torch.argmax": ("torch.argmax(torch.tensor([1.0, -inf + inf, 2.0]))", [2]),
}


@pytest.mark.parametrize("name", USES)
def test_what_is_far_is_noted(outcome: Callable[..., Any], name: str) -> None:
    text, values = USES[name]
    found = outcome(f"import torch\nimport torch.nn.functional as F\ninf = float('inf')\nshow({text})", "paddle")
    assert "noted" in {site.outcome for site in found.sites if site.api.startswith(name)}
    assert found.verdict == "differs"  # a note of what is far announces nothing else
    assert found.target.shown[0][0]["values"] == values


HARD = """
    import torch
    import torch.nn.functional as F
    show(F.hardshrink(torch.tensor([0.5, -0.5, 1.0])))
"""
ONEFLOW = {
    "torch.Tensor.mean": ("torch.zeros(0).mean()", [0.0]),
    "torch.nn.functional.mse_loss": ("F.mse_loss(torch.zeros(0), torch.zeros(0))", [0.0]),
}
INFINITE = """
    import torch
    x = torch.tensor([float("-inf"), float("inf"), 0.0, 1.0])
    y = torch.tensor([[float("-inf"), float("inf"), 0.0, 2.0], [1.0, -1.0, float("-inf"), 3.0]])
    show(torch.logaddexp(x, y), y.logaddexp(x), torch.logcumsumexp(y, 0), torch.logcumsumexp(y[:, :1] * 1, 1))
    show(torch.heaviside(x[:2] - x[:2], x[2:]), torch.heaviside(x[:1] - x[:1], x[3]), (x[:1] - x[:1]).heaviside_(x[3:]))
    z = torch.tensor([0.5, 0.5], requires_grad=True)
    torch.logaddexp(z, torch.tensor([0.5, -1.0])).sum().backward()
    show(z.grad)
"""


def test_what_lies_at_the_threshold_is_noted(outcome: Callable[..., Any]) -> None:
    assert outcome(HARD, "paddle").verdict == "warned"


@pytest.mark.parametrize("name", ONEFLOW)
def test_what_oneflow_makes_of_nothing_and_nan_is_noted(outcome: Callable[..., Any], name: str) -> None:
    text, values = ONEFLOW[name]
    found = outcome(f"import torch\nimport torch.nn.functional as F\ninf = 1e38 * 10\nshow({text})", "oneflow")
    assert "noted" in {site.outcome for site in found.sites if site.api == name}
    assert found.target.shown[0][0]["values"] == values


def test_what_infinities_and_nan_give_is_torchs(agrees: Callable[..., Any]) -> None:
    agrees(INFINITE, "oneflow")
