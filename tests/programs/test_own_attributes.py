"""Attributes that a program gives its tensors."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "by which parameters are told apart": """
import torch
from torch import nn
net = nn.Sequential(nn.Linear(2, 2), nn.LayerNorm(2))
for name, p in net.named_parameters():
    p.no_decay = p.ndim == 1
show([getattr(p, "no_decay", False) for p in net.parameters()])
decayed = [p for p in net.parameters() if not getattr(p, "no_decay", False)]
torch.optim.AdamW([{"params": decayed}, {"params": [p for p in net.parameters() if p.no_decay], "weight_decay": 0.0}])
net.double()
show(len(decayed), [getattr(p, "no_decay", False) for p in net.parameters()])
""",
    "of a module's own": """
import torch
from torch import nn
class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.ones(2))
        self.a._no_weight_decay = True
        setattr(self.a, "_lr", 0.5)
        self.register("b", torch.ones(3), 0.1)
    def register(self, name, tensor, lr=None):
        self.register_parameter(name, nn.Parameter(tensor))
        setattr(getattr(self, name), "_optim", {"weight_decay": 0.0, "lr": lr})
m = Filter()
show([(n, p._optim) for n, p in m.named_parameters() if hasattr(p, "_optim")], m.a._lr)
show([n for n, p in m.named_parameters() if getattr(p, "_no_weight_decay", False)])
""",
    "of any tensor": """
import torch
x = torch.ones(3)
x.steps = 1
x.steps += 2
y = x
show(y.steps, hasattr(x + 1, "steps"), hasattr(x.clone(), "steps"), hasattr(x.detach(), "steps"))
del x.steps
show(hasattr(y, "steps"))
""",
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_own_attributes(name, target, agrees):
    agrees(PROGRAMS[name], target)
