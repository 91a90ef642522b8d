"""What a state_dict gives takes part in no graph, and what hooks are called with are gradients."""

from __future__ import annotations

import pytest

COMPUTED = """
import copy
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
nn.init.constant_(net[0].weight, 0.5); nn.init.zeros_(net[0].bias)
sd = net.state_dict()
show([v.requires_grad for v in sd.values()])
kept = {k: v.clone() for k, v in net.state_dict().items()}
show([v.requires_grad for v in kept.values()])
w = net.state_dict()["0.weight"]
show(w.requires_grad, (w * 2).requires_grad, w.is_leaf)
for k, v in net.state_dict().items():
    if v.dtype.is_floating_point:
        v.mul_(0.5)
show(net[0].weight)
avg = None
for m in (net, copy.deepcopy(net)):
    cur = m.state_dict()
    if avg is None:
        avg = cur
    else:
        for k in avg:
            avg[k] = avg[k] + cur[k]
show(avg["0.weight"], avg["0.weight"].requires_grad)
acc = copy.deepcopy(kept)
for k in acc:
    acc[k] += kept[k]
show(acc["0.weight"])
net2 = copy.deepcopy(net)
glob = net2.state_dict()
prox = 0.
for k, p in net.named_parameters():
    prox = prox + ((p - glob[k] - 1) ** 2).sum()
prox.backward()
show([p.grad is None for p in net2.parameters()], net[0].weight.grad)
def reg(state):
    return sum((state[k] ** 2).sum() for k in state if k.endswith("weight"))
for p in net.parameters():
    p.grad = None
loss = net(torch.ones(4, 2)).sum() + reg(net.state_dict())
loss.backward()
show(loss, net[0].weight.grad)
saved = []
saved.append({k: v.clone() for k, v in net.state_dict().items()})
acc = copy.deepcopy(saved[0])
for k in acc:
    acc[k] *= 3
show(acc["0.bias"], torch.cat([v.flatten() for v in net.state_dict().values() if v.is_floating_point()]).requires_grad)
"""
HANDED_OVER = """
import io
import torch
import torch.nn as nn
net = nn.Linear(2, 2)
state = net.state_dict()
ck = {k: v for k, v in state.items() if v.shape == state[k].shape}
state.update(ck)
net.load_state_dict(state)
torch.save({"model": net.state_dict(), "epoch": 3 + 1}, io.BytesIO())
for k, v in net.state_dict().items():
    print(k, v.shape, v.numel() * 4)
other = nn.Linear(2, 2)
other.load_state_dict({k: v.clone() for k, v in net.state_dict().items()})
show(len(net.state_dict()))
import copy
best = copy.deepcopy(net.state_dict())
w = torch.ones(2, requires_grad=True)
(w * 2).sum().backward()
w.grad.mul_(2)
total = [1, 2]
x = total[0] * w
net.load_state_dict(best)
other.load_state_dict(net.state_dict())
"""
HOOKS = """
import torch
import torch.nn as nn
net = nn.Linear(3, 2)
nn.init.constant_(net.weight, 0.5); nn.init.zeros_(net.bias)
mask = torch.tensor([[True, False, True], [True, True, False]])
net.weight.register_hook(lambda g: g * mask)
masks = {"weight": mask}
hooks = [p.register_hook(lambda g, n=n: g * masks[n]) for n, p in net.named_parameters() if n in masks]
net(torch.ones(1, 3)).sum().backward()
show(net.weight.grad)
x = torch.ones(3, requires_grad=True)
keep = torch.tensor([True, False, True])
def masked(g):
    return g * keep if g.dim() else g
x.register_hook(masked)
(x * torch.arange(3)).sum().backward()
show(x.grad)
"""
WHEN_ADDED = """
import torch
seen = []
y = torch.ones(2, requires_grad=True)
y.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad * (p > 0)))
(y * 3).sum().backward()
show(seen)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", [COMPUTED, HOOKS], ids=["computed of a state", "hooks"])
def test_agrees(program, target, agrees):
    agrees(program, target)


def test_hooks_of_gradients_that_are_added(agrees):
    agrees(WHEN_ADDED, "paddle")


def test_states_that_are_handed_over_stay(agrees):
    converted = agrees(HANDED_OVER, "paddle").converted["program.py"]
    assert "paddle_helpers.state_dict" not in converted and "other.load_state_dict(net.state_dict())" in converted
