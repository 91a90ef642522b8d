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
AVERAGED = """
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
def fixed(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)
    return net

def data(*shape):
    n = 1
    for s in shape:
        n *= s
    return torch.cos(torch.arange(float(n)) * 0.7).reshape(*shape)

def local(net, x, y, glob, mu=0.1):
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    anchor = {k: v for k, v in glob.state_dict().items()}
    for _ in range(2):
        loss = F.mse_loss(net(x), y)
        for n, p in net.named_parameters():
            loss = loss + mu / 2 * (p - anchor[n]).norm() ** 2
        opt.zero_grad(); loss.backward(); opt.step()
    return net.state_dict(), len(x)
glob = fixed(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)))
for rnd in range(2):
    states, sizes = [], []
    for c in range(3):
        net = copy.deepcopy(glob)
        s, n = local(net, data(3 + c, 2) + c, data(3 + c, 1) * c, glob)
        states.append(s); sizes.append(n)
    total = sum(sizes)
    avg = copy.deepcopy(states[0])
    for k in avg.keys():
        avg[k] = avg[k] * (sizes[0] / total)
        for i in range(1, len(states)):
            avg[k] += states[i][k] * (sizes[i] / total)
    glob.load_state_dict(avg)
    show([p.detach().abs().sum() for p in glob.parameters()], [p.grad is None for p in glob.parameters()])
diff = {k: (avg[k] - states[0][k]).norm().item() for k in avg}
flat = torch.cat([v.view(-1) for v in avg.values()])
show(diff, flat.norm(), flat.requires_grad)
show(F.cosine_similarity(flat, torch.cat([v.reshape(-1) for v in states[1].values()]), dim=0))
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
class Keeper:
    def keep(self, net: nn.Module):
        self.file = io.BytesIO()
        torch.save({"model": net.state_dict(), "epoch": 3}, self.file)
    def give(self, net: nn.Module):
        self.file.seek(0)
        kept = torch.load(self.file, weights_only=True)
        net.load_state_dict(kept["model"])
        return kept["epoch"]
keeper = Keeper()
nn.init.constant_(net.weight, 0.25)
keeper.keep(net)
show(keeper.give(other), other.weight)
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
@pytest.mark.parametrize("program", [COMPUTED, AVERAGED, HOOKS], ids=["computed", "averaged", "hooks"])
def test_agrees(program, target, agrees):
    agrees(program, target)


def test_hooks_of_gradients_that_are_added(agrees):
    agrees(WHEN_ADDED, "paddle")


def test_states_that_are_handed_over_stay(agrees):
    converted = agrees(HANDED_OVER, "paddle").converted["program.py"]
    assert "paddle_helpers.state_dict" not in converted
    assert "other.load_state_dict(net.state_dict())" in converted
