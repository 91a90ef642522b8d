"""Where a target's own function counts, rounds or leaves out otherwise than torch's, and says nothing."""

from __future__ import annotations

import pytest

PROGRAMS = {
    # how many there are is reckoned in double
    "ranges": """
    import torch

    def steps(start, end, step):
        return torch.arange(start, end, step)

    show(torch.arange(0, 2.1, 0.3), torch.arange(0, 4.2, 0.3).shape, torch.arange(0.5, 3.5), steps(1, 7, 2))
    show(steps(0, 9.3, 0.3).shape, torch.arange(0, 2, 0.5, dtype=torch.float64), torch.arange(3, dtype=torch.float32))
    """,
    # a gamma function's share of nothing, a divergence from what is no probability
    "edges": """
    import torch
    import torch.nn.functional as F

    x, y = torch.tensor([0.0, 1.0, 0.0, -1.0, 2.0]), torch.tensor([1.0, 2.0, 0.0, 1.0, 0.0])
    show(torch.igamma(x, y), torch.igammac(x, y), torch.special.gammainc(torch.tensor([0, 1]), torch.tensor([0.5, 2])))
    show(F.kl_div(x.view(1, 5), y.expand(2, 5), reduction="sum"), F.kl_div(y, x - 1, reduction="none"))
    """,
    "starting from the end": """
    import torch

    def part(x, dim, start):
        return x.narrow(dim, start, 1)

    x = torch.arange(12.0).view(3, 4)
    show(x.narrow(0, -1, 1), torch.narrow(x, 1, -2, 2), x.narrow(-1, torch.tensor(-2), 1))
    show(torch.narrow_copy(x, 0, -2, 1))
    show(part(x, 0, -1), part(x, -1, 1), x.narrow(0, 3, 0).shape)
    x.narrow(1, -1, 1).add_(100)
    show(x)
    """,
    "batch norm after a Linear": """
    import torch
    from torch import nn

    linear, norm = nn.Linear(2, 2), nn.BatchNorm1d(2)
    with torch.no_grad():
        linear.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        linear.bias.fill_(0.5)
        norm.weight.copy_(torch.tensor([1.0, 2.0]))
    parts = (norm.running_mean, norm.running_var, norm.eps, norm.weight, norm.bias)
    weight, bias = nn.utils.fuse_linear_bn_weights(linear.weight, linear.bias, *parts)
    show(weight.detach(), bias.detach())
    """,
    "values on the edges of a histogram's bins": """
    import torch

    y = torch.tensor([[2.0, -0.41, 0.31], [0.53, 1.2, -0.72], [-0.2, 0.21, 1.6]])
    show(torch.histogram(y, bins=5, range=(-1.0, 1.0)), torch.histogram(y, bins=100, range=(-1.0, 1.0)))
    show(y.histogram(torch.tensor([-1.0, 0.0, 1.0])), y.double().histogram(7))
    show(y.histogram(7, weight=y.abs(), density=True))
    """,
    "running sums of a dtype": """
    import torch

    x = torch.tensor([[1, 2], [3, 4]])
    show(torch.cumsum(x, 1, dtype=torch.int32), x.cumsum(0, dtype=torch.int32), torch.cumprod(x, 1, dtype=torch.int32))
    show(x.cumsum(1, dtype=torch.float64), x.float().cumprod(1, dtype=torch.float64), x.int().cumsum(0))
    """,
    "integers shorter than 64 bits": """
    import torch

    i = torch.tensor([1, 2, 3, 5])
    h, u, f = i.int(), i.to(torch.uint8), i.float()
    show([torch.searchsorted(x, 1.5) for x in (i, h, f)], torch.searchsorted(h, 1.5), torch.searchsorted(f, 1.5))
    show(torch.searchsorted(i, 3), torch.bucketize(1.5, h), torch.bucketize(2.5, f, right=True))
    show(h.reshape(2, 2).trace(), torch.nansum(h, dtype=h.dtype))
    show(torch.deg2rad(i), u.rad2deg(), (i > 2).deg2rad(), f.deg2rad(), torch.unravel_index(h, (3, 2)))
    show(torch.repeat_interleave(h), torch.vander(h), torch.vander(i, 3), torch.vander(f))
    """,
    "bits of numbers of which nothing is known": """
    import torch

    def both(a, b):
        return torch.bitwise_and(a, b), torch.bitwise_left_shift(a, b)

    def changed(a: torch.Tensor, b):
        return a.bitwise_or(b), a.clone().bitwise_xor_(b)

    x = torch.tensor([5, 6])
    show(both(x, 3), both(x, x), both(3, x), changed(x, 2), changed(x, x))
    """,
    "groups of an optimizer without any": """
    import torch

    def trained(w, optimizer):
        def closure():
            optimizer.zero_grad()
            loss = (w * w).sum()
            loss.backward()
            return loss

        for _ in range(3):
            optimizer.step(closure)
        return w.detach()

    one, other = (torch.tensor([1.0, -2.0], requires_grad=True) for _ in range(2))
    show(trained(one, torch.optim.LBFGS([{"params": [one], "lr": 0.02}])))
    show(trained(other, torch.optim.Rprop([{"params": [other], "lr": 0.02}])))
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_at_the_edge(agrees, name, target):
    agrees(PROGRAMS[name], target)
