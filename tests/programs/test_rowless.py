"""Modules and products given what may have no rows, as the experts of a mixture are: gradients are zeros there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

HEAD = """
    import torch
    import torch.nn as nn
    import torch.nn.functional as F

    class Expert(nn.Module):
        def __init__(self):
            super().__init__()
            self.up, self.down = nn.Linear(4, 6), nn.Linear(6, 4, bias=False)

        def forward(self, x):
            return self.down(F.silu(self.up(x)))

    def set_all(module):
        with torch.no_grad():
            for number, p in enumerate(module.parameters()):
                p.copy_(torch.linspace(-1, 1 + number, p.numel()).view(p.shape))

    def gradients(module):
        return {name: p.grad for name, p in module.named_parameters()}

    x = torch.linspace(-1, 1, 20).view(5, 4)
    chosen = torch.tensor([0, 2, 2, 0, 2])
    scratch = [torch.full((n, 4), 7.0) for n in range(1, 60)]
    del scratch
"""

PROGRAMS = {
    "a mask": """
        class Mixture(nn.Module):
            def __init__(self):
                super().__init__()
                self.experts = nn.ModuleList(Expert() for _ in range(3))

            def forward(self, x, chosen):
                out = torch.zeros_like(x)
                for i, expert in enumerate(self.experts):
                    mask = chosen == i
                    out[mask] = expert(x[mask])
                return out

        net = Mixture()
        set_all(net)
        y = net(x, chosen)
        y.sum().backward()
        show(y, gradients(net))
    """,
    "places": """
        class Mixture(nn.Module):
            def __init__(self):
                super().__init__()
                layers = (nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 4)) for _ in range(3))
                self.experts = nn.ModuleList(layers)

            def forward(self, x, chosen):
                out = torch.zeros_like(x)
                for i in range(3):
                    rows, = torch.where(chosen == i)
                    taken = x[rows].reshape(-1, 4)
                    out = out.index_add(0, rows, self.experts[i](taken))
                return out

        net = Mixture()
        set_all(net)
        y = net(x, chosen)
        y.sum().backward()
        show(y, gradients(net))
    """,
    "pieces": """
        class Parallel(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.linspace(-1, 1, 48).view(3, 4, 4))

            def forward(self, x, sizes):
                pieces = x.split(sizes, dim=0)
                return torch.cat([F.linear(pieces[i], self.weight[i]) for i in range(3)])

        net = Parallel()
        y = net(x, torch.bincount(chosen, minlength=3).tolist())
        y.sum().backward()
        show(y, gradients(net))
    """,
    "products": """
        w = torch.linspace(-1, 1, 12).view(4, 3).requires_grad_()
        v = torch.linspace(-1, 1, 12).view(4, 3).requires_grad_()
        ((x[x[:, 0] > 9] @ w).sum() + torch.matmul(x[chosen == 1], v).sum() + (v * 2).sum() + (w * 3).sum()).backward()
        show(w.grad, v.grad)
    """,
    "what reduces": """
        loss = nn.MSELoss()
        head = nn.Linear(4, 1)
        set_all(head)

        class Sum(nn.Module):
            def forward(self, x):
                return x.sum(dim=0, keepdim=True)

        rows = x[chosen > 5]
        show(Sum()(rows), Sum()(x[chosen > 1]), head(rows).shape, loss(head(x[chosen > 1]), x[chosen > 1][:, :1]))
    """,
}


# Paddle's gradient of a store by a mask that holds nowhere raises.
CASES = [
    (name, target) for name in PROGRAMS for target in ("paddle", "oneflow") if (name, target) != ("a mask", "paddle")
]


@pytest.mark.parametrize(("name", "target"), CASES)
def test_gradients_are_as_in_torch(name: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + PROGRAMS[name].replace("\n    ", "\n"), target)
