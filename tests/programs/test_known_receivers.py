"""Receivers that are known by what a program says elsewhere: what stands on them shows what it shows in torch.

Each program divides by nothing but integers, sums truth values or asks by a name that the target has not: left as it
stands, each would differ or raise.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAMS = {
    "layers that a function makes": """
import torch
import torch.nn as nn
def layer_init(layer, std=1.0):
    torch.nn.init.constant_(layer.weight, std)
    return layer
class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(layer_init(nn.Linear(3, 4)), nn.Tanh(), layer_init(nn.Linear(4, 2), std=0.5))
        nn.init.zeros_(self.critic[0].bias), nn.init.zeros_(self.critic[2].bias)
    def value(self, x):
        return self.critic(x)
v = Agent().value(torch.ones(5, 3))
show(v.transpose(0, 1).contiguous().view(-1), v.max(1)[1], v.T.shape)
""",
    "a buffer of one of two kinds": """
from abc import ABC, abstractmethod
from typing import NamedTuple
import torch
class Replayed(NamedTuple):
    obs: torch.Tensor
    rewards: torch.Tensor
class Rolled(NamedTuple):
    obs: torch.Tensor
    advantages: torch.Tensor
class Buffer(ABC):
    def sample(self, n):
        return self.drawn(n)
    @abstractmethod
    def drawn(self, n):
        raise NotImplementedError
class Replay(Buffer):
    def drawn(self, n) -> Replayed:
        return Replayed(torch.arange(n * 2).reshape(n, 2), torch.arange(n))
class Rollout(Buffer):
    def __init__(self):
        for name in ("a", "b"):
            self.__dict__[name] = [1]
    def drawn(self, n) -> Rolled:
        return Rolled(torch.ones(n, 2), torch.ones(n))
data = Replay().sample(3)
show(data.rewards.flatten() / 2, data.rewards.max(0), data.obs.view(-1), data.obs.sum(1))
other = Rollout().sample(3)
show(other.advantages.max(0)[1], other.obs.size(), (other.advantages > 0).float().mean())
""",
    "arrays or tensors": """
import numpy as np
import torch
def as_tensor(x):
    return (torch.from_numpy(x).float(), True) if isinstance(x, np.ndarray) else (x, False)
def turned(points):
    points, is_array = as_tensor(points)
    out = torch.stack([points[:, 1], -points[:, 0]], dim=1)
    return out.numpy() if is_array else out
p = torch.arange(6.0).view(3, 2)
show(turned(p).unsqueeze(0).shape, turned(p).view(-1), turned(p).sum(dim=1), turned(p).permute(1, 0))
def least(points):
    found = turned(points)
    if found.numel() == 0:
        return None
    return found.min(dim=0)[0]
show(least(p), torch.as_tensor(turned(p.numpy())))
""",
    "what is gone through and asked for": """
import torch
class Batches:
    def __iter__(self):
        for step in range(3):
            yield torch.arange(4) * step, torch.tensor([True, False])
class Steps:
    def __init__(self):
        self.at = 0
    def __next__(self):
        self.at += 1
        return torch.full((2, 2), self.at)
for i, (x, m) in enumerate(Batches()):
    show(i, x.view(2, 2), x / 2, m.sum(), x.max(0))
show([x.sum(0) for (x, m), n in zip(Batches(), range(2))], next(Steps()).view(-1), next(Steps()) / 2)
u, places, counts = torch.unique(torch.tensor([3, 1, 3]), return_inverse=True, return_counts=True)
show(u.view(2, 1), places / 2, counts.max(0))
w = torch.tensor([3, 1, 3]).unique(return_counts=False)
show(w.view(-1), w / 2)
""",
    "parameters of what is not known": """
import torch
import torch.nn as nn
class Wrapped:
    def __init__(self, module):
        self.module = module
    def parameters(self):
        return self.module.parameters()
    def named_parameters(self):
        for name, p in self.module.named_parameters():
            yield "w." + name, p
def norms(held):
    return [p.data.norm(2) for p in held.parameters()], [(n, p.numel(), p.view(-1)) for n, p in held.named_parameters()]
torch.manual_seed(0)
layer = nn.Linear(2, 2)
nn.init.constant_(layer.weight, 0.5), nn.init.constant_(layer.bias, 1.0)
holders = {"a": layer, "b": Wrapped(layer)}
for name in holders:
    show(norms(holders[name]))
""",
}


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_receivers_that_are_known(agrees: Callable[..., Outcome], program: str, target: str) -> None:
    agrees(program, target)
