"""The statistics of batch normalization: buffers to the program's own code, in every target."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from textwrap import dedent

import pytest

from rewriters.convert import convert_sources
from rewriters.target import load_target

TARGETS = ("paddle", "oneflow")
HEAD = """
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 1, bias=False)
        self.bn = nn.BatchNorm2d(2)
        self.fc = nn.Linear(8, 1)

    def forward(self, x):
        return self.fc(torch.relu(self.bn(self.conv(x))).flatten(1))

def fill(net):
    for p in net.parameters():
        if p.requires_grad:
            nn.init.constant_(p, 0.3)

torch.manual_seed(0)
x = torch.arange(16.0).reshape(4, 1, 2, 2) / 16
net = Net()
fill(net)
"""
PROGRAMS = {
    "counted": "show(sum(p.numel() for p in net.parameters()), len(list(net.parameters())))",
    "of doubles": """
        net.double()
        net(x.double())
        bn = nn.BatchNorm1d(2, dtype=torch.float64)
        y = bn(torch.tensor([[1.0, 2.0], [3.0, 5.0]], dtype=torch.float64))
        show(y, net.bn.running_mean, [v for v in bn.state_dict().values()])
    """,
    "named": "show([n for n, p in net.named_parameters()], [n for n, _ in net.bn.named_parameters()])",
    "a state that is filtered under its own name": """
        state = net.state_dict()
        state = {k: v for k, v in state.items() if k not in ["fc.bias"]}
        own = net.state_dict()
        own.update(state)
        state = own
        net.load_state_dict(state)
        net.eval()
        show(net(x))
    """,
    "initialized in a loop": """
        for p in net.parameters():
            nn.init.constant_(p, 0.5)
        net.eval()
        show(net(x))
    """,
    "filled in a loop": """
        for name, p in net.named_parameters():
            p.data.fill_(0.25)
        net.eval()
        show(net(x))
    """,
    "unfrozen": """
        for p in net.parameters():
            p.requires_grad = False
        for p in net.parameters():
            p.requires_grad_(True)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(2):
            opt.zero_grad()
            net(x).pow(2).mean().backward()
            opt.step()
        show([p.requires_grad for p in net.parameters()], net.fc.bias)
    """,
    "unfrozen as a whole": """
        net.requires_grad_(False)
        net.requires_grad_(True)
        net.eval()
        net(x).sum().backward()
        show(sum(p.grad is not None for p in net.parameters()))
    """,
    "frozen by name": """
        for name, p in net.named_parameters():
            p.requires_grad = "bn" in name
        opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
        net(x).sum().backward()
        opt.step()
        show([n for n, p in net.named_parameters() if p.requires_grad], net.bn.bias)
    """,
    "an average of parameters": """
        average = copy.deepcopy(net)
        net.train()
        for _ in range(2):
            net(x)
        for a, p in zip(average.parameters(), net.parameters()):
            a.data.mul_(0.5).add_(p.data, alpha=0.5)
        average.eval()
        show(average(x))
    """,
    "parameters of an optimizer": """
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        show(len(opt.param_groups[0]["params"]), len(opt.param_groups))
    """,
    "groups by name": """
        decay = [p for n, p in net.named_parameters() if "bn" not in n and not n.endswith("bias")]
        rest = [p for n, p in net.named_parameters() if "bn" in n or n.endswith("bias")]
        show(len(decay), len(rest))
        opt = torch.optim.SGD([{"params": decay, "weight_decay": 0.1}, {"params": rest}], lr=0.1)
        net(x).sum().backward()
        opt.step()
        show(net.bn.weight, net.fc.bias)
    """,
    "gradients clipped": """
        net(x).pow(2).sum().backward()
        total = nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        show(total, net.bn.weight.grad)
    """,
    "a norm of all": """
        show(torch.sqrt(sum(p.detach().pow(2).sum() for p in net.parameters())))
    """,
    "one vector": "show(torch.cat([p.detach().reshape(-1) for p in net.parameters()]).shape)",
    "a dict of copies": """
        start = {n: p.detach().clone() for n, p in net.named_parameters()}
        show(sorted(start))
    """,
    "buffers": "show([n for n, _ in net.named_buffers()], len(list(net.buffers())))",
    "names of the state": "show(list(net.state_dict().keys()), len(net.state_dict()))",
    "shapes of the state": "show({k: list(v.shape) for k, v in net.state_dict().items() if 'fc' not in k})",
    "statistics read": """
        net.train()
        for _ in range(3):
            net(x)
        show(net.bn.running_mean, net.bn.running_var, net.bn.num_batches_tracked)
        net.eval()
        show(net(x))
    """,
    "statistics reset": """
        net(x)
        net.bn.reset_running_stats()
        show(net.bn.running_mean, net.bn.running_var)
    """,
    "statistics by name": """
        net(x)
        for name, b in net.named_buffers():
            if name.endswith("running_var"):
                b.fill_(2.0)
        net.eval()
        show(net(x))
    """,
    "statistics carried": """
        net(x)
        other = Net()
        other.load_state_dict(net.state_dict())
        other.eval()
        show(other(x), other.state_dict()["bn.running_mean"])
    """,
    "momentum set": """
        for m in net.modules():
            if isinstance(m, nn.BatchNorm2d):
                m.momentum = 0.5
        net(x)
        show(net.bn.running_mean)
    """,
    "one dimension": """
        bn = nn.BatchNorm1d(3)
        y = torch.arange(12.0).reshape(4, 3)
        show(bn(y), bn.running_var, [n for n, _ in bn.named_parameters()])
        bn.eval()
        show(bn(y))
    """,
    "parameters of the norm alone": """
        norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
        show(sum(p.numel() for m in norms for p in m.parameters()))
    """,
    "a layer handed on": """
        def block(norm=nn.BatchNorm2d):
            return nn.Sequential(nn.Conv2d(1, 2, 1), norm(2))

        one = block()
        show([n for n, _ in one.named_parameters()], [n for n, _ in one.named_buffers()])
    """,
    "first and last": "show(list(net.parameters())[-1].shape[0], list(net.parameters())[1].shape[0])",
    "by the class": """
        seen = [type(m) is nn.BatchNorm2d for m in net.modules()]
        show(seen, [n for n, _ in net.named_buffers()], isinstance(net.bn, nn.BatchNorm2d))
    """,
    "penalty": """
        loss = net(x).sum() + 0.1 * sum(p.abs().sum() for p in net.parameters())
        loss.backward()
        show(loss, net.bn.weight.grad)
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_statistics(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), target)


PLAIN = {
    "trained": """
        opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        net(x).sum().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        torch.save(net.state_dict(), "/tmp/none.pt")
        net.load_state_dict(torch.load("/tmp/none.pt"))
    """,
    "frozen": """
        for p in net.parameters():
            p.requires_grad = False
        print(sum(p.numel() for p in net.parameters() if p.requires_grad))
        opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.fc.parameters()), lr=0.1)
    """,
    "by hand": """
        net(x).sum().backward()
        for p in net.parameters():
            if p.grad is not None:
                p.data.sub_(p.grad)
        for p in net.parameters():
            p.grad = None
    """,
    "an average of the state": """
        shadow = {k: v.clone() for k, v in net.state_dict().items()}
        for k, v in net.state_dict().items():
            if v.dtype.is_floating_point:
                shadow[k].mul_(0.9).add_(v, alpha=0.1)
        net.load_state_dict(shadow)
    """,
}


@pytest.mark.parametrize("name", PLAIN)
def test_stays_plain(name: str) -> None:
    path = PurePosixPath("program.py")
    found = convert_sources({path: (HEAD + dedent(PLAIN[name])).encode()}, load_target("paddle")).files[path].decode()
    assert "helpers.torch_" not in found
    assert "helpers.TorchBatchNorm" not in found


BEGUN_ANEW = """
import torch, torch.nn as nn
bn = nn.BatchNorm1d(2, momentum=0.3)
x = torch.arange(8.0).reshape(4, 2)
bn(x)
show(bn.running_mean, bn.num_batches_tracked)
def again(m):
    if isinstance(m, nn.modules.batchnorm._BatchNorm):
        m.reset_running_stats()
again(bn)
show(bn.running_mean, bn.running_var, bn.num_batches_tracked)
bn(x)
bn.reset_parameters()
show(bn.running_mean, bn.num_batches_tracked, bn.weight)
free = nn.BatchNorm1d(2, track_running_stats=False)
again(free); free.reset_parameters()
show(free(x), free.running_mean)
avg = nn.BatchNorm1d(2, momentum=None)
for i in range(3):
    avg(x + i)
show(avg.running_mean, avg.num_batches_tracked)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_are_begun_anew_with_their_count(agrees: Callable[..., object], target: str) -> None:
    agrees(BEGUN_ANEW, target)
