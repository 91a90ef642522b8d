"""Hooks of gradients: shown to them as they are computed; to JAX in steps that are not compiled."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

PROGRAMS = {
    "activations and their gradients": """
        import torch
        import torch.nn as nn
        torch.manual_seed(0)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(1, 3, 3, padding=1)
                self.fc = nn.Linear(3, 2)
            def forward(self, x):
                f = torch.relu(self.conv(x))
                return self.fc(f.mean(dim=(2, 3)))
        net = Net()
        with torch.no_grad():
            for i, p in enumerate(net.parameters()):
                p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view_as(p))
        acts, grads = {}, {}
        def fwd(m, i, o):
            acts["v"] = o.detach()
        def bwd(m, gi, go):
            grads["v"] = go[0].detach()
        net.conv.register_forward_hook(fwd)
        net.conv.register_full_backward_hook(bwd)
        x = torch.linspace(-1, 1, 25).view(1, 1, 5, 5)
        out = net(x)
        out[0, 1].backward()
        w = grads["v"].mean(dim=(2, 3), keepdim=True)
        cam = torch.relu((w * acts["v"]).sum(dim=1))
        show(cam.sum().item(), cam.max().item())
    """,
    "in a class": """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F
        class GradCAM:
            def __init__(self, model, layer):
                self.model = model
                self.gradients = None
                self.activations = None
                layer.register_forward_hook(self.save_activation)
                layer.register_full_backward_hook(self.save_gradient)
            def save_activation(self, module, inp, out):
                self.activations = out.detach()
            def save_gradient(self, module, gin, gout):
                self.gradients = gout[0].detach()
            def __call__(self, x, idx=None):
                self.model.zero_grad()
                out = self.model(x)
                if idx is None:
                    idx = out.argmax(dim=1).item()
                out[0, idx].backward()
                w = self.gradients.mean(dim=[2, 3], keepdim=True)
                cam = F.relu((w * self.activations).sum(dim=1, keepdim=True))
                cam = F.interpolate(cam, size=(8, 8), mode="bilinear", align_corners=False)
                return (cam - cam.min()) / (cam.max() - cam.min() + 1e-8)
        pooled = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 2))
        net = nn.Sequential(nn.Conv2d(1, 3, 3, padding=1), nn.ReLU(), *pooled)
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view_as(p))
        net.eval()
        cam = GradCAM(net, net[0])
        x = torch.linspace(-1, 1, 16).view(1, 1, 4, 4)
        r = cam(x)
        show(r.shape, r.sum().item())
    """,
    "beside training": """
        import torch
        import torch.nn as nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(2, 3)
                self.b = nn.Linear(3, 1)
            def forward(self, x):
                return self.b(torch.tanh(self.a(x)))
        net = Net()
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view_as(p))
        norms = {}
        def log(name):
            def hook(module, grad_input, grad_output):
                norms[name] = grad_output[0].norm().item()
            return hook
        handles = [m.register_full_backward_hook(log(n)) for n, m in net.named_children()]
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
        for i in range(3):
            loss = net(x).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss.item(), sorted(norms.items()))
        for h in handles:
            h.remove()
    """,
    "that change them": """
        import torch
        import torch.nn as nn
        net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view_as(p))
        net[0].register_full_backward_pre_hook(lambda m, g: (g[0] * 0.5,))
        loss = net(torch.ones(1, 2)).sum()
        loss.backward()
        show(net[0].weight.grad.tolist(), net[2].weight.grad.tolist())
    """,
}


CHANGED_FIRST = """
    import torch
    import torch.nn as nn
    net = nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.fill_(0.5)
        net.bias.zero_()
    seen = []
    net.register_full_backward_hook(lambda module, given, made: seen.append(made[0].item()))
    halving = net.register_full_backward_pre_hook(lambda module, made: (made[0] * 0.5,))
    for _ in range(2):
        net(torch.ones(1, 2)).sum().backward()
        halving.remove()
    show(seen, net.bias.grad.item())
"""
PROGRAMS["in torch's order, whichever comes first"] = CHANGED_FIRST

TARGETS = ("paddle", "oneflow", "jax")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_hooks_of_gradients(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(dedent(program), target)


@pytest.mark.parametrize("target", TARGETS)
def test_gradients_of_what_goes_in_are_refused(outcome: Callable[..., object], target: str) -> None:
    program = """
        import torch
        import torch.nn as nn
        net = nn.Linear(2, 1)
        net.register_full_backward_hook(lambda module, given, made: show(given[0]))
        net(torch.ones(1, 2, requires_grad=True)).sum().backward()
    """
    found = outcome(dedent(program), target)
    # Paddle wraps what a hook raises in an error of its own.
    assert found.verdict in ("raises", "marked")
    assert target == "paddle" or "a hook sees gradients of what a module gives" in str(found.target.error)


def test_a_list_that_is_called_grads_stays_what_it_is(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn
        net = nn.Linear(2, 1)
        with torch.no_grad():
            net.weight.fill_(0.5)
            net.bias.zero_()
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        grads = []
        x = torch.tensor([[1.0, 2.0]])
        for i in range(3):
            loss = net(x).pow(2).sum()
            opt.zero_grad()
            loss.backward()
            grads.append(net.weight.grad.norm().item())
            opt.step()
        show(grads)
    """
    agrees(dedent(program), "jax")
