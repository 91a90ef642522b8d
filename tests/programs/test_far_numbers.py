"""What Paddle makes of infinities, NaN and numbers far apart is noted at each use, and is as docs/paddle.md says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

USES = {
    "torch.nn.functional.log_softmax": ("F.log_softmax(torch.tensor([-inf, 1.0]), 0)", [-64.0, 0.0]),
    "torch.nn.functional.cross_entropy": ("F.cross_entropy(torch.tensor([[100.0, 0.0]]), torch.tensor([1]))", [64.0]),
    "torch.logsumexp": ("torch.logsumexp(torch.tensor([-inf, -inf]), 0).nan_to_num(7.0)", [7.0]),
    "torch.argmax": ("torch.argmax(torch.tensor([1.0, -inf + inf, 2.0]))", [2]),
}


@pytest.mark.parametrize("name", USES)
def test_what_is_far_is_noted(outcome: Callable[..., Any], name: str) -> None:
    text, values = USES[name]
    found = outcome(f"import torch\nimport torch.nn.functional as F\ninf = float('inf')\nshow({text})", "paddle")
    assert "noted" in {site.outcome for site in found.sites if site.api.startswith(name)}
    assert found.verdict == "differs"  # a note of what is far announces nothing else
    assert found.target.shown[0][0]["values"] == values
