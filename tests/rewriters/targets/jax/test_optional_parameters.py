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


BOUND_AGAIN = """
import torch
from torch import nn

class Scale(nn.Module):
    def __init__(self, first=None, second=None):
        super().__init__()
        first = first if first is not None else second
        second = second if second is not None else first
        gain = nn.Parameter(torch.ones(3))
        gain = gain if first is None else first
        self.first, self.gain = first, gain
        self.second = second
    def forward(self, x):
        return x * self.gain
"""


def test_names_may_be_bound_to_one_another(converted: Callable[..., str]) -> None:
    """What they hold is asked of each once."""
    assert "self.gain" in converted(BOUND_AGAIN, "jax")
