"""To JAX: layers that draw their first weights anew, and those of a derived class that have their own way."""

from __future__ import annotations

from collections.abc import Callable


def test_parameters_are_reset(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn


        class Half(nn.Linear):
            def reset_parameters(self):
                nn.init.constant_(self.weight, 0.5)
                if self.bias is not None:
                    nn.init.zeros_(self.bias)


        class Told(nn.Conv2d):
            def reset_parameters(self):
                super().reset_parameters()
                self.told = True
                with torch.no_grad():
                    self.bias.fill_(2.0)


        class Rows(nn.Embedding):
            def reset_parameters(self):
                nn.init.ones_(self.weight)


        half, told = Half(3, 2), Told(1, 2, 3)
        show(half.weight.detach(), half.bias.detach(), told.told, told.bias.detach(), Rows(3, 2).weight.detach())
        net = nn.Sequential(
            nn.Linear(3, 4), nn.Conv1d(2, 3, 3), nn.ConvTranspose2d(2, 3, 3), nn.BatchNorm1d(4), nn.LayerNorm((2, 3)),
            nn.GroupNorm(2, 4), nn.Embedding(5, 2, padding_idx=1),
        )
        with torch.no_grad():
            for p in net.parameters():
                p.fill_(9.0)
        net[3](torch.ones(2, 4) * 3)
        for m in net.modules():
            if hasattr(m, "reset_parameters"):
                m.reset_parameters()
        show([bool((p.abs() < 9).all()) for p in net.parameters()], [p.shape for p in net.parameters()])
        show([p.detach() for m in net[3:6] for p in m.parameters()], net[3].running_mean, net[6].weight[1].detach())
        show(float(net[0].weight.abs().max()) <= 3**-0.5, float(net[1].weight.abs().max()) <= 6**-0.5)
        """,
        "jax",
    )
