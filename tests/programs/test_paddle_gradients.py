"""Functions with a backward of their own, and what torch.autograd.grad gives; what loaders and samplers give."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

PROGRAMS = {
    "inputs without gradients": """
        class Product(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, y, k):
                ctx.save_for_backward(x, y)
                ctx.k = k
                return x * y * k

            @staticmethod
            def backward(ctx, g):
                x, y = ctx.saved_tensors
                return g * y * ctx.k, g * x * ctx.k, None

        a, b = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0])
        z = Product.apply(a, b, 4)
        z.sum().backward()
        show(z, a.grad, b.grad)
        a.grad = None
        Product.apply(b, a, 2).sum().backward()
        show(a.grad)
        Product.apply(a, a, 1).sum().backward()
        show(a.grad)
    """,
    "gradients that only autograd hands over": """
        class Clip(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, bound):
                ctx.save_for_backward(x)
                ctx.bound = bound
                return x.clamp(-bound, bound)

            @staticmethod
            def backward(ctx, grad):
                (x,) = ctx.saved_tensors
                inside = x.abs() <= ctx.bound
                if ctx.needs_input_grad[0]:
                    grad = grad.view(-1).masked_fill(~inside.view(-1), 0.0).view(x.size()).sum(0, keepdim=True)
                return grad.expand(x.size()) / x.size(0), None

        clip = Clip.apply
        x = torch.linspace(-2, 2, 6).reshape(2, 3).requires_grad_()
        (clip(x, 1.0) * torch.arange(6.0).view(2, 3)).sum().backward()
        show(x.grad)
    """,
    "a tuple": """
        x, y = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0], requires_grad=True)
        g = torch.autograd.grad((x * y).sum(), [x, y])
        show(isinstance(g, tuple), g + (1,), g[0])
        (gx,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        show(gx, torch.autograd.grad(gx.sum(), x)[0])
        def gradients(loss, of):
            return torch.autograd.grad(loss, of, allow_unused=True)
        show(gradients((x * 2).sum(), (x, y)) == (None, None), type(gradients(x.sum(), [x])).__name__)
    """,
    "weights of a sampler": """
        from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
        s = WeightedRandomSampler(torch.tensor([0.0, 1.0, 0.0]), 4)
        show(list(s), len(s), list(WeightedRandomSampler([0.0, 1.0], 3)), len(WeightedRandomSampler([0.0, 1.0], 3)))
        data = TensorDataset(torch.arange(3.0))
        for batch in DataLoader(data, batch_size=2, sampler=WeightedRandomSampler(torch.tensor([0.0, 0.0, 1.0]), 3)):
            show(batch)
    """,
    "items of a stream": """
        from torch.utils.data import DataLoader, IterableDataset
        class Stream(IterableDataset):
            def __iter__(self):
                return iter(range(5))
        show([b for b in DataLoader(Stream(), batch_size=None)], [b for b in DataLoader(Stream(), batch_size=2)])
        show([b for b in DataLoader(Stream(), batch_size=2, collate_fn=list)])
        show([b for b in DataLoader(Stream(), 2, drop_last=True)])
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, agrees: Callable[..., object]) -> None:
    agrees("import torch\n" + dedent(PROGRAMS[name]), "paddle")


def test_logits_of_exactly_zero(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F

        a, b = torch.tensor([1.0, 3.0]), torch.tensor([2.0, 0.5])
        losses = [
            nn.BCEWithLogitsLoss(),
            nn.BCEWithLogitsLoss(a, pos_weight=b, reduction="sum"),
            lambda x, t: F.binary_cross_entropy_with_logits(x, t),
            lambda x, t: F.binary_cross_entropy_with_logits(x, t, a, pos_weight=b, reduction="none").sum(),
        ]
        for loss in losses:
            x = torch.tensor([[0.0, 2.0], [0.0, 0.5], [30.0, -30.0], [200.0, -200.0]], requires_grad=True)
            t = torch.tensor([[0.0, 1.0], [0.5, 0.3], [1.0, 0.0], [0.0, 1.0]], requires_grad=True)
            value = loss(x, t)
            value.backward()
            show(value, x.grad, t.grad)
        """,
        "paddle",
    )


# A function that changes what it is given says so; what it keeps for jvp() alone is not needed.
DIRTY = """
import torch
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.mark_dirty(x)
        ctx.save_for_backward(factor)
        ctx.save_for_forward(factor)
        x.mul_(factor)
        return x
    @staticmethod
    def backward(ctx, grad):
        factor, = ctx.saved_tensors
        return grad * factor, None
w = torch.arange(6.0).reshape(2, 3).requires_grad_()
x = w * 2
y = Scale.apply(x, torch.tensor([1.0, 2.0, 3.0]))
((y * y).sum() + x.sum()).backward()
show(w.grad, x, y)
"""


def test_what_a_function_changes_in_place(agrees: Callable[..., object], announced: Callable[..., object]) -> None:
    agrees(DIRTY, "paddle")
    announced(DIRTY, "oneflow")


TWICE = """
import torch
import torch.nn as nn
class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 2)
        self.flat = nn.Flatten()
        self.out = nn.Linear(8, 1)
    def forward(self, x):
        h = torch.tanh(self.conv(x))
        means = torch.flatten(h, 1).mean(1, keepdim=True)
        return self.out(self.flat(h)) + means + h.flatten(start_dim=2).sum((1, 2))[:, None]
net = Critic()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 0.5, p.numel()).view(p.shape))
x = torch.linspace(-1, 1, 18).view(2, 1, 3, 3).requires_grad_()
(g,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
penalty = ((g.flatten(1).norm(2, dim=1) - 1) ** 2).mean()
penalty.backward()
show(penalty, net.conv.weight.grad, net.out.weight.grad)
show(x.flatten().shape, torch.tensor(2.0).flatten(), isinstance(net.flat, nn.Flatten))
"""
OF_ONE_TENSOR = """
import numpy as np
import torch
import torch.distributions as D
import torch.nn.functional as F
t = torch.tensor([0.5, 1.5], requires_grad=True)
x = torch.tensor([0.3, 0.6])
show(D.Normal(t, 2.0).log_prob(x), D.Normal(0.7, t).log_prob(x), D.Normal(t, 1).mean)
show(D.LogNormal(t, 2.0).log_prob(x), D.Gamma(t, 1.0).log_prob(x), D.Gamma(2.0, t).mean)
show(D.Uniform(0.0, t).log_prob(x * 0.5), D.Uniform(t, 2.0).log_prob(x + 1.4))
(D.Normal(t, 0.5).log_prob(x).sum() + D.Normal(0.0, t).log_prob(x).sum()).backward()
show(t.grad)
rng = np.random.RandomState(0)
w = torch.zeros(3, requires_grad=True)
y = torch.from_numpy(rng.randn(4, 3)).to(torch.float32)
F.mse_loss(w.expand(4, 3) * 1.0, y).backward()
show(w.grad)
F.l1_loss(w + 0.5, y[0].double()).backward()
show(w.grad)
"""


def test_gradients_of_what_is_flattened(agrees: Callable[..., object]) -> None:
    agrees(TWICE, "paddle")


def test_tensors_beside_numbers_and_what_wants_no_gradient(agrees: Callable[..., object]) -> None:
    agrees(OF_ONE_TENSOR, "paddle")


NUMBERS_GIVEN = """
    import torch
    from torch import distributions as D
    k = torch.tensor(2.0)
    show(D.Poisson(3.0).log_prob(k), D.Poisson(3).sample().shape, D.Poisson(2.0).mean, D.Poisson(k).log_prob(k))
    show(D.Poisson(torch.tensor([3.0])).log_prob(k), D.Bernoulli(logits=0.5).log_prob(torch.tensor(1.0)))
"""


def test_distributions_of_a_number_have_no_axes(agrees: Callable[..., object]) -> None:
    agrees(NUMBERS_GIVEN, "paddle")


LEFT_OUT = """
    import torch
    class Straight(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, at=0.0, scale=1.0):
            ctx.save_for_backward(x)
            return (x > at).float()
        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * (x.abs() <= 1).float(), None, None
    x = torch.tensor([-2.0, 0.5, 0.9, 3.0], requires_grad=True)
    step = Straight.apply
    (step(x) * torch.arange(4.0)).sum().backward()
    (step(x, 0.7) + Straight.apply(x, 0.1, 2.0)).sum().backward()
    show(x.grad)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_own_functions_that_are_given_less_than_they_take(target: str, agrees: Callable[..., object]) -> None:
    agrees(LEFT_OUT, target)
