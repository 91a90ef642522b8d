"""Transforms of distributions that a program says itself: called, inverted, cached, chained, distributed by."""

from __future__ import annotations

from collections.abc import Callable

PROGRAM = """
import torch
from torch.distributions import AffineTransform, Normal, Transform, TransformedDistribution, constraints
from torch.distributions.transforms import ComposeTransform, ExpTransform


class Softclip(Transform):
    domain = constraints.real
    codomain = constraints.real
    bijective = True
    sign = +1

    def __init__(self, bound=1.0, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.bound, self.calls = bound, 0

    def _call(self, x):
        self.calls += 1
        return x / (1 + abs(x / self.bound))

    def _inverse(self, y):
        return y / (1 - abs(y / self.bound))

    def log_abs_det_jacobian(self, x, y):
        return -2 * torch.log1p(abs(x / self.bound))


class Pairs(Transform):
    domain = constraints.independent(constraints.real, 1)
    codomain = constraints.independent(constraints.real, 1)

    @property
    def bijective(self):
        return True

    def _call(self, x):
        return x.flip(-1) * 2

    def _inverse(self, y):
        return y.flip(-1) / 2

    def log_abs_det_jacobian(self, x, y):
        return torch.full(x.shape[:-1], x.shape[-1] * 0.6931471805599453)


t = Softclip(2.0)
x = torch.linspace(-1, 1, 5)
y = t(x)
show(y, t.inv(y), t.log_abs_det_jacobian(x, y), t.inv.log_abs_det_jacobian(y, x), t.inv.inv is t, t.inv is t.inv)
show(t.bijective, t.sign, t.inv.sign, t.event_dim, t.inv.domain.event_dim, t.forward_shape((2, 3)))
kept = Softclip(2.0, cache_size=1)
y = kept(x)
show(kept(x) is y, kept.inv(y) is x, kept.calls, repr(t), t == t, t.inv == t.inv, t == kept)
show(isinstance(t.inv, torch.distributions.transforms._InverseTransform), isinstance(t, Transform))
d = TransformedDistribution(Normal(torch.zeros(3), torch.ones(3)), [t, AffineTransform(1.0, 2.0)])
show(d.log_prob(torch.tensor([0.5, 1.0, 2.0])), d.rsample().shape)
p = TransformedDistribution(Normal(torch.zeros(2, 3), torch.ones(3)), [Pairs()])
show(p.log_prob(torch.tensor([[0.5, 1.0, 2.0], [1.0, 2.0, 0.0]])), p.batch_shape, p.event_shape)
show(len(d.transforms), d.transforms[0] is t)


class Diagonal(torch.distributions.Independent):
    def __init__(self, loc, scale):
        super().__init__(Normal(loc, scale), 1)

    def spread(self):
        return self.base_dist.scale, self.reinterpreted_batch_ndims


of = Diagonal(torch.zeros(2, 3), torch.full((2, 3), 2.0))
show(of.spread(), of.base_dist.mean, of.log_prob(torch.ones(2, 3)), of.batch_shape, of.event_shape)
c = ComposeTransform([t, ExpTransform()])
show(c(x), c.log_abs_det_jacobian(x, c(x)))
try:
    Softclip(cache_size=2)
except ValueError as error:
    show(str(error))
try:
    Transform()(x)
except NotImplementedError:
    show("nothing is said")
"""


def test_own_transforms(agrees: Callable[..., object]) -> None:
    agrees(PROGRAM, "paddle")
