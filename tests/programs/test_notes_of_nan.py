"""NaN that Paddle passes by where torch gives it: each use is noted where a project asks for NaN."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

ASKS = """
    import torch

    x = torch.tensor([[1.0, float("nan"), 0.5]])
    y = {}
    show(torch.isnan(y).any())
"""
USES = ["x.argmax(1)", "x.argmin(1)", "x.max(1)[0]", "x.min(dim=1).values", "torch.relu(x)", "torch.softmax(x, 1)"]


@pytest.mark.parametrize("use", USES)
def test_what_nan_comes_through_is_noted(outcome: Callable[..., Outcome], use: str) -> None:
    found = outcome(ASKS.format(use), "paddle")
    assert found.torch.error is None
    noted = {site.api.rpartition(".")[2] for site in found.sites if site.outcome == "noted"}
    assert "isnan" in noted, found.sites
