"""Parameters that a module is given under another name, where buffers are gone through."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import torch
    import torch.nn as nn

    def made():
        return nn.Parameter(torch.ones(2))

    class Below(nn.Module):
        def __init__(self, weight):
            super().__init__()
            self.weight = weight

    class Net(nn.Module):
        def __init__(self, given=None):
            super().__init__()
            self.first = nn.Parameter(torch.ones(2))
            self.again = self.first
            self.below = Below(self.first)
            self.made = made()
            self.listed = [nn.Parameter(torch.ones(1))][0]
            local = nn.Parameter(torch.ones(1))
            self.local = local
            self.given = given if given is not None else nn.Parameter(torch.zeros(1))
            table = nn.Embedding(2, 2)
            self.of_layer = table.weight
            plain = torch.ones(3)
            self.plain = plain
            self.filled = plain.fill_(2)
            self.computed = plain * 2
            self.register_buffer("held", torch.zeros(1))

    for net in (Net(), Net(nn.Parameter(torch.ones(4)))):
        show([name for name, _ in net.named_buffers()], sorted(net.state_dict()), net.plain, net.computed)
        show([name for name, _ in net.named_parameters()], sum(p.numel() for p in net.parameters()))
        (net.again * 3).sum().backward()
        show(net.first.grad)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_parameters_under_another_name(agrees: Callable[..., object], target: str) -> None:
    """They are parameters still: of what has a name, Paddle's layer decides at run time."""
    agrees(PROGRAM, target)
