"""What torch.nn.utils puts on layers (``weight_v``, ``weight_orig``) is read and changed as their parameters are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

CAUSAL = """
    import torch
    from torch import nn

    class WN(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.utils.weight_norm(nn.Conv2d(2, 3, 3))

        def forward(self, x):
            return self.conv(x)

    class Causal(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = WN()
            self.causal = 1

        def forward(self, x):
            self.conv.conv.weight_v.data[:, :, -1, self.causal:].zero_()
            return self.conv(x)

    m = Causal()
    with torch.no_grad():
        m.conv.conv.weight_v.copy_(torch.arange(54.).view(3, 2, 3, 3))
        m.conv.conv.weight_g.fill_(2.0)
        m.conv.conv.bias.fill_(0.5)
    show(m(torch.ones(1, 2, 3, 3)), m.conv.conv.weight_v)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_a_part_of_what_weight_norm_adds_is_changed(target: str, agrees: Callable[..., object]) -> None:
    agrees(CAUSAL, target)
