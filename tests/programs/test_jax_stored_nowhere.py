"""Experts that nothing is for: torch's gradients are zeros, which weight decay and momentum go by, not none."""

from __future__ import annotations

from collections.abc import Callable


def test_what_is_stored_at_no_place_has_gradients_of_zeros(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn

        class Experts(nn.Module):
            def __init__(self, n=8):
                super().__init__()
                self.e = nn.ModuleList([nn.Linear(2, 2) for _ in range(n)])
                self.token = nn.Parameter(torch.ones(2))
                self.unread = nn.Parameter(torch.ones(2))

            def forward(self, x):
                none = x[:, 0] > 100
                out = torch.zeros_like(x)
                rows, = torch.where(none)
                across = rows.unsqueeze(-1).expand(-1, 2)
                out[none] = self.e[0](x[none]) * 0.5
                out[none] += self.e[1](x[none])
                hidden = torch.relu(self.e[2](x[rows]))
                out[rows, :] = hidden
                out.index_add_(0, rows, self.e[3](x[rows]))
                out = out.scatter(0, across, self.e[4](x[none]))
                out = out.index_put((none,), self.e[5](x[none])).masked_scatter(none.unsqueeze(-1), self.e[6](x[none]))
                out[none] = self.token
                out[~none] = self.e[7](x[~none])
                return out

        net = Experts()
        for k, p in enumerate(net.parameters()):
            nn.init.constant_(p, 0.1 * (k + 1))
        opt = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.1)
        x = torch.arange(8.0).reshape(4, 2) / 8
        for _ in range(2):
            opt.zero_grad()
            loss = net(x).pow(2).mean()
            loss.backward()
            opt.step()
            show(loss.detach())
        for name, p in net.named_parameters():
            show(name, p.grad, p.detach())
        """,
        "jax",
    )
