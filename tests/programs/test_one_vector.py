"""Layers that are given one vector, without a batch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

NORMED = """
    import torch
    from torch import nn

    class Policy(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm(4)

        def forward(self, state):
            return self.norm(torch.tanh(state))

    state = torch.tensor([0.1, 0.2, -0.3, 0.4], requires_grad=True)
    policy = Policy()
    found = policy(state)
    (found * torch.arange(4.0)).sum().backward()
    show(found.detach(), state.grad, policy.norm.weight.grad)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_norm_of_one_vector(agrees: Callable[..., object], target: str) -> None:
    agrees(NORMED, target)
