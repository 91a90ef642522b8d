"""Gradients where a function has a kink: at 0, at an edge, of equal elements."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

LOSSES = {
    "penalties": "z.abs().sum() + abs(z - 1).sum() + torch.abs(z.view(2, 3)).max() + z.view(2, 3).t().abs().mean()",
    "along an axis": "z.view(3, 2).max(1)[0].sum() + z.view(2, 3).min(dim=0, keepdim=True).values.sum()",
    "named": "2 * torch.max(z.view(3, 2), dim=-1).values.sum()",
    "edges": "z.clamp(0, 1).sum() + F.hardtanh(z).sum() + F.relu6(6 * z).sum()",
    "norms": "F.pairwise_distance(z.view(3, 2), torch.ones(3, 2), p=1.0, eps=0).sum() + z.norm(1) + (0 * z).norm()",
    "equal points": "F.pairwise_distance(z.view(3, 2), z.detach().view(3, 2), eps=0).sum()",
    "rankings": "F.margin_ranking_loss(z, torch.zeros(6), torch.ones(6))",
    "hinges": "F.hinge_embedding_loss(z, torch.tensor([1.0, -1, -1, 1, -1, 1]))",
    "cosines": "F.cosine_embedding_loss(z.view(3, 2), torch.ones(3, 2), -torch.ones(3), margin=0.0)",
    "triplets": "F.triplet_margin_loss(z[None, :2], torch.zeros(1, 2), torch.eye(2)[:1], margin=1.0, p=1.0, eps=0)",
}


@pytest.mark.parametrize("loss", LOSSES)
def test_kinks(loss: str, agrees: Callable[..., Outcome]) -> None:
    program = f"""
        import torch
        import torch.nn.functional as F
        z = torch.tensor([0.0, 0.0, 1.0, 1.0, -1.0, 2.0], requires_grad=True)
        loss = {LOSSES[loss]}
        loss.backward()
        show(loss, z.grad)
    """
    agrees(program, "jax")


def test_a_penalty_leaves_zeros_as_they_are(agrees: Callable[..., Outcome]) -> None:
    found = agrees(
        """
        import torch
        import torch.nn as nn
        net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
            net[0].bias.zero_()
            net[2].bias.zero_()
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for i in range(3):
            opt.zero_grad()
            l1 = sum(p.abs().sum() for p in net.parameters())
            loss = net(torch.zeros(2, 3)).max(dim=1)[0].mean() + 0.1 * l1 + 0.01 * abs(net[2].bias).sum()
            loss.backward()
            opt.step()
            with torch.no_grad():
                show(net(torch.ones(2, 3)).abs().mean())
            show((net(torch.ones(2, 3)).abs() > 1).sum(), net(torch.ones(2, 3)).max(1)[1])
        show(list(net.parameters()))
        """,
        "jax",
    )
    text = found.converted["program.py"]
    assert "show(jnp.abs(" in text  # where no gradient is taken it is plain
    assert text.count("absolute(") == 2
    assert text.count("max_along(") == 1


def test_steps_have_gradients_of_zeros(agrees: Callable[..., Outcome]) -> None:
    """Weight decay moves a parameter whose gradient is zeros, and leaves one alone that has none."""
    found = agrees(
        """
        import torch
        import torch.nn as nn


        class Round(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return torch.round(x)

            @staticmethod
            def backward(ctx, g):
                return g


        v = nn.Parameter(torch.tensor([1.143, -2.6]))
        w = nn.Parameter(torch.tensor([2.143, -3.6]))
        u = nn.Parameter(torch.tensor([3.143, -4.6]))
        opt = torch.optim.SGD([v, w, u], lr=0.1, weight_decay=0.1)
        out = torch.trunc(v) + torch.fix(v) + v.floor() + torch.ceil(v) + v.sign() + torch.sgn(v)
        out = out + v.round(decimals=1) + Round.apply(w) + (w.round() - w).detach()
        out.sum().backward()
        show(v.grad, w.grad, u.grad)
        opt.step()
        show(v, w, u, torch.sign(w.grad), (v.sign() > 0).sum(), v.floor().long(), torch.tensor([3]).sign())
        """,
        "jax",
    )
    text = found.converted["program.py"]
    assert text.count("_with_slope(") == 7
    assert "jnp.sign(jax_helpers.gradient_at(w))" in text
    assert "(jnp.sign(v[...]) > 0).sum()" in text


def test_a_loss_in_one_expression(agrees: Callable[..., Outcome]) -> None:
    agrees(
        """
        import torch
        w, v = torch.zeros(2).requires_grad_(), torch.zeros(2, 2).requires_grad_()
        w.abs().sum().backward()
        v.max(1)[0].sum().backward()
        show(w.grad, v.grad)
        """,
        "jax",
    )
