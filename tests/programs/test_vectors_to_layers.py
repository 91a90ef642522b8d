"""A policy is given the state of an environment, a vector: a Linear of OneFlow's own takes rows alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

POLICY = """
import torch
import torch.nn as nn
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2), nn.Softmax(dim=-1))
        self.value = nn.Linear(in_features=4, out_features=1, bias=False, dtype=torch.float32)
    def forward(self, state):
        return self.actor(state), self.value(state)
net = Policy()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()) * (i + 1.0)).view_as(p))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    probs, value = net(torch.cos(torch.arange(4.0) + i))
    loss = -torch.log(probs[probs.argmax()]) + value.squeeze() ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    show(loss, probs, value.shape, net(torch.ones(2, 3, 4))[1])
show(net.state_dict(), [isinstance(m, nn.Linear) for m in net.modules()])
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_vectors(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(POLICY, target)


def test_where_classes_are_compared_it_stays(outcome: Callable[..., Outcome]) -> None:
    """And raises at the vector, where ``type(m) is nn.Linear`` would be wrong silently."""
    found = outcome(POLICY + "show([type(m) is nn.Linear for m in net.modules()])\n", "oneflow")
    assert found.verdict == "raises", str(found)
