"""Gradients where a function has a kink, and where a bound holds: zeros, equal scores, small norms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")
KINKS = """
    import torch
    import torch.nn.functional as F
    from torch import nn
    x = torch.tensor([[0.2, -1.0, 3.0], [1.5, 0.3, -0.4], [0.0, 0.5, 0.5]], requires_grad=True)
    a = torch.zeros(3, requires_grad=True)
    for y in (
        F.normalize(x), F.normalize(x, dim=0, eps=1.5), F.normalize(x, p=1, dim=-1, eps=0.5),
        F.normalize(x, dim=1, eps=1e-6),
        F.margin_ranking_loss(x[0] * 0, a, torch.ones(3)),
        nn.MarginRankingLoss()(x[0] * 0, x[1] * 0, -torch.ones(3)),
        nn.MarginRankingLoss(0.5)(x[0], a, torch.ones(3)),
        nn.PReLU()(x[0] * 0), F.prelu(x[0] * 0, torch.tensor([0.1])), nn.PReLU()(x * 0),
    ):
        x.grad = None
        torch.sin(y).sum().backward()
        show(y.detach(), x.grad)
"""
DISTANCES = """
    import torch
    x = (torch.arange(120.0).reshape(40, 3) % 7).requires_grad_()
    y = (torch.arange(90.0).reshape(30, 3) % 5).requires_grad_()
    d = torch.cdist(x, x) + torch.cdist(x[:40], x * 1.0)
    (d * d.detach().sin()).sum().backward()
    show(d.detach(), x.grad)
    e = torch.cdist(x[None], torch.stack([y, y * 2]))
    f = torch.cdist(x[:4], y[:5], p=1.0)
    (torch.exp(-e).sum() + f.sum()).backward()
    show(e.detach(), f.detach(), y.grad)
    with torch.no_grad():
        show(torch.cdist(x, y))
"""
ALIKE = """
    import torch
    import torch.nn.functional as F
    a = torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0], [0.1, 0.0]], requires_grad=True)
    b = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.6, 0.8], [1.0, 1.0]], requires_grad=True)
    y = F.cosine_similarity(a, b)
    (y * torch.tensor([1.0, 1.0, 0.0, 1.0])).sum().backward()
    show(y.detach(), a.grad, b.grad)
"""
FAR = """
    import torch
    from torch.distributions import Bernoulli, Geometric, Gumbel

    a = torch.tensor([-88.0, -2.5, 0.0, 0.5, 88.0], requires_grad=True)
    d = {}
    y = d.{}
    y.sum().backward()
    show(y.detach(), a.grad)
"""
DISTRIBUTIONS = {
    "Gumbel(a, torch.full((5,), 0.01))": "log_prob(torch.tensor([-100.0, -1.0, 0.0, 0.5, 30.0]))",
    "Geometric(logits=a)": "log_prob(torch.zeros(5))",
    "Bernoulli(logits=a)": "entropy()",
}


@pytest.mark.parametrize("target", TARGETS)
def test_kinks(agrees: Callable[..., object], target: str) -> None:
    agrees(KINKS, target)


@pytest.mark.parametrize("target", TARGETS)
def test_distances_of_equal_points(agrees: Callable[..., object], target: str) -> None:
    agrees(DISTANCES, target)


@pytest.mark.parametrize("target", TARGETS)
def test_cosines_of_rows_of_zeros(agrees: Callable[..., object], target: str) -> None:
    agrees(ALIKE, target)


@pytest.mark.parametrize("made", DISTRIBUTIONS)
def test_distributions_far_from_zero(agrees: Callable[..., object], made: str) -> None:
    agrees(FAR.format(made, DISTRIBUTIONS[made]), "paddle")


def test_apply_finds_the_weight_of_a_prelu(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        def init(m):
            if hasattr(m, "weight") and m.weight is not None:
                nn.init.constant_(m.weight, 0.5)

        net = nn.Sequential(nn.Linear(2, 2), nn.PReLU())
        net.apply(init)
        show([p.detach() for p in net[1].parameters()])
        """,
        "paddle",
    )
