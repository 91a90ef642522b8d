"""Logits far from zero, and exactly zero: values and gradients that the frameworks' own functions get wrong there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

FAR = """
    import torch
    import torch.nn.functional as F
    from torch import nn
    from torch.distributions import Bernoulli

    far = [-1722.0, -200.0, -1.0, 0.0, 1.0, 50.0, 90.0, 710.0, 1722.0]
    ones, weight = torch.ones(9), torch.full((9,), 2.0)
    functions = [
        F.logsigmoid, nn.LogSigmoid(), nn.Mish(), F.mish, F.celu, nn.CELU(), nn.CELU(2.0), lambda x: F.celu(x, 0.5),
        lambda x: nn.CELU(inplace=True)(x * 1), lambda x: nn.Mish(inplace=True)(x * 1), lambda x: torch.celu_(x * 1),
        nn.SELU(), nn.GELU(), nn.SiLU(), nn.Softplus(), nn.ELU(), nn.Hardswish(), torch.tanh, torch.sigmoid,
        lambda x: nn.BCEWithLogitsLoss()(x, ones), lambda x: nn.BCEWithLogitsLoss(pos_weight=weight)(x, ones * 0.3),
        lambda x: F.binary_cross_entropy_with_logits(x, ones, reduction="none"),
        lambda x: F.binary_cross_entropy_with_logits(x, ones * 0.3, weight, pos_weight=weight),
        lambda x: F.multilabel_soft_margin_loss(torch.stack([x, -x], 1), torch.tensor([[1.0, 0.0]]).repeat(9, 1)),
        lambda x: nn.MultiLabelSoftMarginLoss()(torch.stack([x, -x], 1), torch.tensor([[0.0, 1.0]]).repeat(9, 1)),
        lambda x: Bernoulli(logits=x).log_prob(ones),
    ]
    for place, function in enumerate(functions):
        x = torch.tensor(far, requires_grad=True)
        y = function(x)
        y.sum().backward()
        show(place, y.detach(), x.grad)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_functions_of_logits(agrees: Callable[..., object], target: str) -> None:
    agrees(FAR, target)


def test_second_gradients_of_silu(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn.functional as F
        from torch import nn

        class Energy(nn.Module):
            def __init__(self, act=nn.SiLU):
                super().__init__()
                self.act, self.other = act(), nn.SiLU(inplace=True)

            def forward(self, x):
                return (self.act(x) + self.other(x * 2) + F.silu(x)).sum()

        x = torch.tensor([-1722.0, -90.0, -1.0, 0.0, 2.0, 90.0], requires_grad=True)
        forces = torch.autograd.grad(Energy()(x), x, create_graph=True)[0]
        forces.pow(2).sum().backward()
        show(forces.detach(), x.grad)
        """,
        "paddle",
    )
