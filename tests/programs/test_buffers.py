"""``self.x = nn.Buffer(...)``: registered where it is assigned, as torch does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "of every kind": """
        import torch
        from torch import nn


        class Net(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.freq = nn.Buffer(1.0 / (10 ** (torch.arange(0, dim, 2).float() / dim)), persistent=False)
                self.scale = nn.Buffer(torch.ones(1) * 3)
                self.shift = nn.Buffer(data=torch.zeros(dim).add_(1), persistent=True)

            def forward(self, x):
                return x * self.scale + self.shift.sum() + self.freq[None, :].float().mean()


        net = Net(4)
        show(sorted(name for name, _ in net.named_buffers()), sorted(net.state_dict()))
        show(net(torch.ones(3, 2)), sum(p.numel() for p in net.parameters()))
    """,
    "under a name that is made up": """
        import torch
        from torch import nn


        class Net(nn.Module):
            def __init__(self, kinds):
                super().__init__()
                for kind in kinds:
                    setattr(self, f"{kind}_freq", nn.Buffer(torch.arange(3.0) * len(kind), persistent=False))
                    setattr(self, kind, nn.Buffer(data=torch.ones(2)))
                setattr(self, "plain", 3)

            def forward(self, x):
                return x * getattr(self, "long_freq") + self.a.sum() + self.plain


        net = Net(["long", "a"])
        show(sorted(name for name, _ in net.named_buffers()), sorted(net.state_dict()), net(torch.ones(2, 3)))
    """,
    "that is replaced": """
        import torch
        from torch import nn


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.mean = nn.Buffer(torch.zeros(2))

            def forward(self, x):
                self.mean = self.mean + x.mean(0)
                return x - self.mean


        net = Net()
        net(torch.ones(3, 2))
        show(net(torch.full((3, 2), 2.0)), {k: v.tolist() for k, v in net.state_dict().items()})
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)


PRUNED = """
import torch
import torch.nn.utils.prune as prune
layer = torch.nn.Linear(4, 2)
torch.nn.init.constant_(layer.bias, 0.0)
layer.weight.data = torch.arange(8.0).view(2, 4) - 3
prune.l1_unstructured(layer, "weight", amount=0.5)
show([name for name, _ in layer.named_buffers()], list(layer.state_dict()), layer(torch.ones(1, 4)), layer.weight)
prune.remove(layer, "weight")
show([name for name, _ in layer.named_buffers()], layer.weight, layer(torch.ones(1, 4)))
"""


def test_a_pruned_weight_is_no_buffer(agrees: Callable[..., object]) -> None:
    agrees(PRUNED, "paddle")
