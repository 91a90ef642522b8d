"""Joining to an empty vector, which torch passes over whatever the rank of the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "a name": """
        import torch
        kept = torch.tensor([])
        for i in range(3):
            kept = torch.cat([kept, torch.ones(2, i + 1, 4) * i], dim=-2)
        show(kept)
    """,
    "an attribute": """
        import torch


        class Cache:
            def __init__(self):
                self.keys = torch.empty(0, dtype=torch.float32)

            def update(self, keys):
                self.keys = torch.cat((self.keys, keys), 1)
                return self.keys


        cache = Cache()
        show(cache.update(torch.ones(2, 3)), cache.update(torch.zeros(2, 1)))
    """,
    "of another dtype": """
        import torch
        def joined(parts):
            return torch.cat(parts)
        show(joined([torch.tensor([]), torch.arange(4).reshape(2, 2)]), joined([torch.tensor([]), torch.tensor([])]))
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)
