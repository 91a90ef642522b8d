"""Parameters that may be None, given to another library's functions."""

from __future__ import annotations

from collections.abc import Callable

PROGRAM = """
import torch
from torch import nn
from einops import rearrange, repeat

class Net(nn.Module):
    def __init__(self, dim=3, token=True):
        super().__init__()
        self.token = None
        if token:
            self.token = nn.Parameter(torch.ones(dim))
        self.null = nn.Parameter(torch.ones(2, dim)) if token else None
    def forward(self, x):
        if self.token is not None:
            x = x + rearrange(self.token, "d -> 1 1 d")
            x = torch.cat([x, repeat(self.null, "n d -> b n d", b=x.shape[0])], dim=1)
        return x
"""


def test_einops_is_given_their_arrays(converted: Callable[..., str]) -> None:
    """It takes nothing else, None neither."""
    text = converted(PROGRAM, "jax")
    assert 'rearrange(self.token[...], "d -> 1 1 d")' in text
    assert 'repeat(self.null[...], "n d' in text
    assert "if self.token is not None" in text
