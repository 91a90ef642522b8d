"""Tensors without axes, of which OneFlow gives another dtype, or the tensor's own memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "a row in one of two ways": """
        import torch
        target = torch.tensor([1.703])
        acc = target
        def loss_fn(q: torch.Tensor) -> torch.Tensor:
            return torch.sum(q if False else q[0])
        r = loss_fn(q=acc)
        acc.chunk(2)[0].zero_()
        show(r)
    """,
    "logsumexp and logit": """
        import torch
        class Kept:
            def keep(self, y):
                self.total = torch.norm(y)
            def over(self):
                return self.total.logsumexp(dim=-1)
        kept = Kept()
        kept.keep(torch.FloatTensor([1, 2]).double())
        show(kept.over(), torch.tensor([2]).logit(0.1), torch.tensor([0.3]).logit())
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, agrees: Callable[..., object]) -> None:
    agrees(PROGRAMS[name], "oneflow")
