"""What meets in whole programs: modules in containers, hooks on what is handed in, places that may be none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

FIRST_OF_SEVERAL = """
import torch
from torch import nn
class Positions(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
    def forward(self, t):
        rates = torch.exp(torch.arange(self.dim) * -0.5)
        angles = t[:, None] * rates[None, :]
        return torch.cat((angles.sin(), angles.cos()), dim=-1)
class Net(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.time = nn.Sequential(Positions(3), nn.Identity())
        self.nested = nn.Sequential(nn.Sequential(*layers), nn.Identity())
    def forward(self, t):
        return self.time(t) + self.nested(t)
net = Net([Positions(3), nn.Tanh()])
show(net(torch.tensor([1, 2])), net(torch.full((2,), 4, dtype=torch.long)), net(torch.tensor([0.5])))
"""
HANDED_IN = """
import torch
from torch import nn
from contextlib import contextmanager
@contextmanager
def recording(net, store):
    hooks = [m.register_forward_hook(lambda m, i, o, n=n: store.update({n: o.detach().clone()}))
             for n, m in net.named_modules() if not list(m.children())]
    try:
        yield store
    finally:
        for hook in hooks:
            hook.remove()
net = nn.Sequential(nn.Identity(), nn.Tanh())
with recording(net, {}) as seen:
    net(torch.ones(2))
net(torch.zeros(2))
show(seen)
"""
ONE_PLACE = """
import torch
x = torch.arange(6.0).reshape(3, 2)
for flags in ([0, 1, 0], [1, 0, 1], [0, 0, 0]):
    places = torch.nonzero(torch.tensor(flags)).squeeze()
    show(x.index_fill(0, places, 9.0), x.index_fill(0, places, torch.tensor(3.0)), x.clone().index_fill_(0, places, 2))
    show(torch.arange(3).index_fill(0, torch.tensor([1]), 5))
"""
ROWS_OF_ONE_PLACE = """
import torch
x = torch.arange(6.0).reshape(3, 2)
for flags in ([0, 1, 0], [1, 0, 1]):
    places = torch.nonzero(torch.tensor(flags)).squeeze()
    show(x.index_select(0, places), torch.index_select(x, dim=1, index=torch.tensor([1])))
"""
NO_PLACES = """
import torch
def marked(x, wanted):
    places = torch.nonzero(wanted).squeeze(1)
    x[places] = 5.0
    rows, columns = torch.where(x > 90)
    x[rows, columns] = torch.tensor(0.5)
    x[rows, 0] += 1
    return x
for flags in ([0, 1, 1], [0, 0, 0]):
    show(marked(torch.arange(6.0).reshape(3, 2), torch.tensor(flags)))
"""
MASKED_GRADIENTS = """
import torch
from torch import nn
class Masked(nn.Linear):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.register_buffer("mask", torch.ones_like(self.weight, dtype=torch.bool))
layer = Masked(2, 2)
nn.init.ones_(layer.weight)
layer.mask[0, 1] = False
layer(torch.ones(1, 2)).sum().backward()
layer.weight.grad.mul_(layer.mask)
layer.weight.data.mul_(layer.mask)
show(layer.weight.grad, layer.weight, layer.mask)
def scaled(values, counts):
    return values.mul_(counts.long()).div_(counts.bool().long() + 1)
show(scaled(torch.ones(2), torch.tensor([2, 3])))
"""
ORDER_OF_GROUPS = """
import torch
from torch.optim import Optimizer
class Plain(Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr, decay=0.0))
    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.add_(p.grad, alpha=-group["lr"])
w = torch.ones(2, requires_grad=True)
opt = Plain([{"params": [w], "lr": 0.5}])
show(opt.state_dict()["param_groups"], list(opt.state_dict()["param_groups"][0])[-1])
"""

COUNTED_BESIDE_FRACTIONS = """
import torch
import torch.nn.functional as F
def life(cells):
    around = F.pad(cells[None, None].float(), (1,) * 4, mode="circular")
    n = F.conv2d(around, torch.ones(1, 1, 3, 3))[0, 0] - cells
    return ((n == 3) | ((cells == 1) & (n == 2))).to(cells.dtype)
cells = torch.zeros(5, 5, dtype=torch.int64)
cells[2, 1:4] = 1
show(life(cells), torch.equal(life(life(cells)), cells))
"""
EXTRA_STATE = """
import torch
from torch import nn
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.by = 3
    def get_extra_state(self):
        return {"by": self.by}
    def set_extra_state(self, state):
        self.by = state["by"]
a, b = Scaled(), Scaled()
a.by = 5
b.load_state_dict(a.state_dict())
show(b.by)
"""
SAVED = """
import torch
from torch import nn
class Base(nn.Module):
    pass
class Scaled(Base):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "extra"] = torch.ones(1)
    def _apply(self, fn):
        super()._apply(fn)
        self.cast = True
        return self
show(sorted(Scaled().state_dict()), hasattr(Scaled().double(), "cast"))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_fractions_beside_what_is_counted_at_times(agrees: Callable[..., object], target: str) -> None:
    agrees(COUNTED_BESIDE_FRACTIONS, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_methods_that_no_module_of_the_targets_calls(announced: Callable[..., object], target: str) -> None:
    announced(EXTRA_STATE, target)


def test_methods_that_save_and_cast(agrees: Callable[..., object], announced: Callable[..., object]) -> None:
    agrees(SAVED, "oneflow")
    announced(SAVED, "paddle")
    announced(SAVED, "jax")


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_a_sequential_gives_its_first_module_what_it_is_given(agrees: Callable[..., object], target: str) -> None:
    agrees(FIRST_OF_SEVERAL, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_hooks_on_what_is_handed_in(agrees: Callable[..., object], target: str) -> None:
    agrees(HANDED_IN, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_filling_one_place_without_axes(agrees: Callable[..., object], target: str) -> None:
    agrees(ONE_PLACE, target)


def test_selecting_one_place_without_axes(agrees: Callable[..., object]) -> None:
    agrees(ROWS_OF_ONE_PLACE, "oneflow")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_storing_a_number_at_no_places(agrees: Callable[..., object], target: str) -> None:
    agrees(NO_PLACES, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_masks_beside_gradients(agrees: Callable[..., object], target: str) -> None:
    agrees(MASKED_GRADIENTS, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_groups_of_a_state_end_with_the_parameters(agrees: Callable[..., object], target: str) -> None:
    agrees(ORDER_OF_GROUPS, target)
