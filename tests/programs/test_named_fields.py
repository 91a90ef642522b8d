"""``f"{x.numel()=}"`` shows the program's own text beside the value, whatever the value is converted to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAM = """
    import torch
    x = torch.tensor([1.5, 2.25])
    show(f"{x.numel()=} {x.numel() = } {(x.numel())=:>3} {x.sum().item()=:.2f} {x.numel()=!s} {len({x.numel()})=}")
    show(f"{x.shape[0]=} {x.numel()} {x.numel() == 2}")
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_fields_with_their_names(agrees: Callable[..., Any], target: str) -> None:
    agrees(PROGRAM, target)
