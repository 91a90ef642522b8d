"""Methods of torch's that objects keep under a name of their own, and attributes of layers asked by a text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

KEPT = {
    "of an autograd function": """
        import torch
        from torch import nn

        class Square(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, grad):
                (x,) = ctx.saved_tensors
                return 2 * x * grad

        class Layer(nn.Module):
            def __init__(self):
                super().__init__()
                self.square = Square.apply

            def forward(self, x):
                return self.square(x)

        x = torch.full((2,), 3.0, requires_grad=True)
        y = Layer()(x)
        y.sum().backward()
        show(y, x.grad)
        """,
    "of other objects": """
        import torch
        from torch import nn

        class Trainer:
            def __init__(self, model):
                self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                self.step = self.optimizer.step
                self.named = model.named_parameters

        class Frozen(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(2, 2)
                self.train = self.inner.train

        model = nn.Linear(2, 1, bias=False)
        nn.init.ones_(model.weight)
        trainer = Trainer(model)
        model(torch.ones(1, 2)).sum().backward()
        trainer.step()
        frozen = Frozen()
        frozen.train(False)
        show(model.weight, [name for name, _ in trainer.named()], frozen.training, frozen.inner.training)
        """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", KEPT)
def test_kept_methods(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(KEPT[program], target)


def test_instance_norms_have_a_weight(agrees: Callable[..., object]) -> None:
    """Paddle's is called otherwise: what asks any module for its weight would pass these over."""
    agrees(
        """
        import torch
        from torch import nn

        def start(model):
            for m in model.modules():
                if hasattr(m, "weight") and m.weight is not None:
                    nn.init.constant_(m.weight, 2.0)

        def has(m):
            return getattr(m, "weight", None) is not None

        plain, affine = nn.InstanceNorm2d(2), nn.InstanceNorm2d(2, affine=True)
        net = nn.Sequential(plain, affine, nn.Conv2d(1, 1, 1))
        start(net)
        show(affine.weight, net[2].weight, [has(m) for m in net], [has(m) for m in (plain, nn.ReLU())])
        show(hasattr(affine, "weight"), hasattr(plain, "weight"), hasattr(nn.Conv2d(1, 2, 3), "out_channels"))
        """,
        "paddle",
    )
