"""Gradients, and what a state_dict gives, are changed in place outside of no_grad too, and everybody sees it."""

from __future__ import annotations

import pytest

START = """
    import torch

    w = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    (w * w).sum().backward()
"""

PROGRAMS = {
    "gradients": START
    + """
    w.grad.mul_(0.5)
    show(w.grad)
    w.grad.data.clamp_(-1, 1)
    show(w.grad)
    w.grad += 1
    w.grad *= 2
    show(w.grad, w.grad.requires_grad, (w.grad * 2).sum())
    w.grad[0] = 7
    w.grad[1:] += 5
    w.grad.add_(torch.ones(3), alpha=2)
    torch.clamp_(w.grad, max=12)
    show(w.grad)
    w.grad.copy_(torch.arange(3))
    w.grad.div_(w.grad.norm() + 1e-6)
    show(w.grad)
    w.grad.zero_()
    (w * 3).sum().backward()
    show(w.grad)
    """,
    "held": START
    + """
    g = w.grad
    g.mul_(2)
    g += 1
    show(w.grad, g)
    for p in [w]:
        if p.grad is not None:
            p.grad.neg_()
    grads = [p.grad for p in [w, torch.ones(2, requires_grad=True)] if p.grad is not None]
    for one in grads:
        one.mul_(0.1)
    show(w.grad, len(grads))

    def clip(grad, limit):
        grad.clamp_(-limit, limit)

    clip(w.grad, 0.5)
    show(w.grad)

    def scale(params, factor):
        for p in params:
            grad = p.grad
            if grad is None:
                continue
            grad.mul_(factor)

    scale([w, torch.ones(2, requires_grad=True)], 3)
    show(w.grad)
    """,
    "of a model": """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.tensor([1.0, 2.0]))
            self.shift = nn.Parameter(torch.zeros(2))

        def forward(self, x):
            return x * self.scale + self.shift

        def zero(self):
            for p in self.parameters():
                if p.grad is not None:
                    p.grad.zero_()

    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        net.zero()
        net(torch.tensor([[1.0, 2.0], [3.0, 4.0]])).pow(2).sum().backward()
        for p in net.parameters():
            p.grad.data.clamp_(-3, 3)
            p.grad /= 2
        show(net.scale.grad, net.shift.grad)
        optimizer.step()
    show(net.scale.detach(), net.shift.detach())
    """,
    "state_dict": """
    import torch
    from torch import nn

    torch.manual_seed(0)
    norm = nn.LayerNorm(3)
    state = norm.state_dict()
    state["weight"].copy_(torch.tensor([1.0, 2.0, 3.0]))
    state["bias"].fill_(2)
    show(norm.weight.detach(), norm.bias.detach(), state["bias"].requires_grad)
    for name, value in norm.state_dict().items():
        value.mul_(0.5)
    norm.state_dict()["bias"].add_(1)
    show(norm.weight.detach(), norm.bias.detach(), norm.weight.requires_grad)
    for k in state:
        state[k] = state[k] * 0.9
        state[k].add_(1)
    show(state["weight"], norm.weight.detach())
    norm.load_state_dict(state)
    show(norm.bias.detach(), norm(torch.ones(2, 3)).detach())

    def average(model, other):
        mine, theirs = model.state_dict(), other.state_dict()
        for key in mine:
            mine[key].mul_(0.5).add_(theirs[key], alpha=0.5)

    average(norm, nn.LayerNorm(3))
    show(norm.weight.detach(), norm.bias.detach())
    """,
    "other gradients": """
    import torch

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    h = torch.autograd.grad(g.sum(), x)[0]
    h.add_(1)
    g = g.detach()
    g.mul_(2)
    show(g, h, x.grad is None)

    class Value:
        def __init__(self, data):
            self.data, self.grad = data, 0.0

        def add(self, other):
            self.grad += other.grad
            other.grad += 1.0
            g = other.grad
            return g

    a = Value(3.0)
    show(a.add(Value(2.0)), a.grad)

    def bump(values):
        for value in values:
            value.grad += 2.0
            grad = value.grad
            grad += 1
        return [value.grad for value in values]

    show(bump([a, Value(1.0)]))
    """,
    "where torch refuses": """
    import torch

    w = torch.ones(3, requires_grad=True)
    for change in (lambda: w.mul_(2), lambda: w.zero_(), lambda: w.add_(1)):
        try:
            change()
            show("changed")
        except (RuntimeError, ValueError):
            show("refused")
    with torch.no_grad():
        w.mul_(2)
    w.data.add_(1)
    show(w.detach())
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_changed_gradients(agrees, name, target):
    agrees(PROGRAMS[name], target)
