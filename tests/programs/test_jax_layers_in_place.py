"""To JAX, layers and functions that change what they are given: their results are taken, and other readers named."""

from __future__ import annotations

from collections.abc import Callable

from migrate.programs import Outcome


def test_results_that_nobody_takes_are_taken(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F


        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.act = nn.LeakyReLU(0.1, inplace=True)
                self.plain = nn.ReLU()

            def forward(self, x):
                x = x - 1
                self.act(x)
                self.plain(x)
                return x


        x = torch.linspace(-2.0, 2.0, 12).reshape(3, 4)
        show(Block()(x), x)
        act = nn.ReLU6(inplace=True)
        y = x * 3
        act(y)
        nn.Hardtanh(-0.5, 5.0, inplace=True)(y)
        show(y)
        z = x * 2
        F.relu(z[0], inplace=True)
        nn.ELU(inplace=True)(z[1:])
        show(z)
        """,
        "jax",
    )


def test_who_else_reads_what_they_change_is_named(announced: Callable[..., Outcome]) -> None:
    found = announced(
        """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F


        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.act = nn.ReLU(inplace=True)

            def forward(self, x):
                y = x * 2
                skips = [y]
                out = self.act(y)
                return out + skips[0], F.relu(self.act(out * 2), inplace=True)


        x = torch.linspace(-2.0, 2.0, 12).reshape(3, 4)
        show(Block()(x))
        u = x
        F.relu(x[0], inplace=True)
        show(x, u)
        v = x - 1
        w = v
        F.leaky_relu(v, 0.2, True)
        nn.ReLU(inplace=True)(
            v,  # once more
        )
        show(v, w)
        """,
        "jax",
    )
    assert [site.line for site in found.sites if site.outcome == "differs"] == [15, 22, 26, 28]
