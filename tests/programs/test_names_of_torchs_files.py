"""What people take from files of torch's that only import it, and from its optimizers' file."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import torch
    from torch import nn
    from torch.functional import F
    import torch.functional as TF
    from torch.optim.optimizer import Optimizer, required

    class Plain(Optimizer):
        def __init__(self, params, lr=required, decay=0.0):
            if lr is not required and lr < 0.0:
                raise ValueError("lr")
            super().__init__(params, dict(lr=lr, decay=decay))

        @torch.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        p.add_(p.grad, alpha=-group["lr"])

    x = torch.tensor([[1.0, -2.0]])
    show(F.relu(x), TF.F.softmax(x, dim=1), torch.nn.modules.linear.F.gelu(x))
    net = nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.fill_(0.5)
        net.bias.zero_()
    opt = Plain(net.parameters(), lr=0.1)
    for _ in range(2):
        opt.zero_grad()
        F.mse_loss(net(x), torch.ones(1, 1)).backward()
        opt.step()
    show(net.weight.detach())
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_they_convert(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
