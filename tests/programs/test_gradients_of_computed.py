"""Gradients with respect to what was computed, and the steps after them; hooks that are no functions of Python's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")

COMPUTED = """
    import torch
    import torch.nn as nn

    x = torch.tensor([1.0, 0.5])
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    fast = w
    for _ in range(3):
        loss = ((fast * x).sum() - 1) ** 2
        fast = fast - 0.1 * torch.autograd.grad(loss, [fast], create_graph=True)[0]
    ((fast * torch.tensor([0.3, 0.7])).sum() - 1).pow(2).backward()
    show(w.grad, fast)

    w.grad = None
    h = w * 2
    y = h + h.relu()
    (g,) = torch.autograd.grad((y * x).sum(), h, retain_graph=True)
    show(g)
    y.sum().backward()
    show(w.grad)

    w.grad = None
    a = w * w
    b = a * w
    show(*torch.autograd.grad((b * x).sum(), [a, w], retain_graph=True))
    show(torch.autograd.grad(b.sum(), [b, a, w], allow_unused=True))
    (w * 3).sum().backward()
    show(w.grad)

    net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
    for parameter in net.parameters():
        nn.init.constant_(parameter, 0.3)
    features = net[:2](torch.tensor([[1.0, 2.0]]))
    (g,) = torch.autograd.grad(net[2](features).sum(), features, create_graph=True)
    (g.mean(dim=1, keepdim=True) * features).sum().backward()
    show(g, net[0].weight.grad, net[2].weight.grad)

    w.grad = None
    u = w * 1.5
    kept = []
    u.register_hook(kept.append)
    (u * u).sum().backward()
    show(kept[0], len(kept), w.grad)
"""


@pytest.mark.parametrize("target", TARGETS)
def test_gradients_of_what_was_computed(agrees: Callable[..., object], target: str) -> None:
    """OneFlow's own goes on for a step below it, where the next backward() counts what is left there."""
    agrees(COMPUTED, target)


def test_checkpoints_of_several_segments(agrees: Callable[..., object]) -> None:
    """Paddle's recompute_sequential goes over the rows of what a segment gives."""
    program = """
        import torch
        import torch.nn as nn
        from torch.utils.checkpoint import checkpoint_sequential

        net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
        for parameter in net.parameters():
            nn.init.constant_(parameter, 0.2)
        for rows in (1, 3):
            for segments in (1, 2, 3):
                x = torch.arange(2.0 * rows).view(rows, 2).requires_grad_()
                y = checkpoint_sequential(net, segments, x, use_reentrant=False)
                y.sum().backward()
                show(y, x.grad, net[0].weight.grad)
    """
    agrees(program, "paddle")
