"""Policies that draw their actions, converted and run in OneFlow: torch's shapes, densities, gradients and errors."""

from __future__ import annotations

from collections.abc import Callable

SCRIPT = """\
import json

import torch
import torch.nn as nn
from torch import distributions as D
from torch.distributions import Bernoulli, Categorical, Distribution, Independent, Normal, kl_divergence


class Policy(nn.Module):
    def __init__(self, continuous: bool):
        super().__init__()
        self.continuous = continuous
        self.body = nn.Linear(3, 4)
        self.log_std = nn.Parameter(torch.zeros(4))

    def forward(self, x: torch.Tensor) -> Distribution:
        found = torch.tanh(self.body(x))
        if self.continuous:
            return Independent(Normal(found, self.log_std.exp()), 1)
        return Categorical(logits=found)


def counted(*shape):
    count = 1
    for size in shape:
        count *= size
    return torch.sin(torch.arange(count).float()).reshape(shape)


def acted(continuous):
    policy = Policy(continuous)
    with torch.no_grad():
        policy.body.weight.copy_(counted(4, 3))
        policy.body.bias.copy_(counted(4))
    drawn = policy(counted(5, 3))
    action = drawn.sample()
    assert not action.requires_grad
    taken = counted(5, 4) if continuous else torch.tensor([0, 3, 1, 2, 2])
    loss = -(drawn.log_prob(taken) * counted(5)).sum() - drawn.entropy().mean()
    loss.backward()
    grads = [policy.body.weight.grad] + ([policy.log_std.grad] if continuous else [])
    many, density = drawn.sample((2, 3)), drawn.log_prob(action)
    shapes = [action.shape, many.shape, density.shape, drawn.batch_shape, drawn.event_shape]
    return [loss.detach(), *grads, *(torch.tensor([*shape, 9]) for shape in shapes)]


def discrete():
    return acted(False)


def continuous():
    return acted(True)


def reparametrized():
    loc = counted(3).requires_grad_()
    scale = torch.full((3,), 0.5).requires_grad_()
    found = Normal(loc, scale)
    action = found.rsample((4,))
    assert action.requires_grad
    ((action - loc.detach()) / scale.detach()).pow(2).sum().backward()
    chance = found.icdf(torch.tensor([0.1, 0.5, 0.99])).detach()
    return [loc.grad * 0, torch.tensor(action.shape), found.cdf(counted(3)).detach(), chance]


def expanded():
    wide = Normal(counted(3), 1.0).expand((2, 3))
    rows = Independent(Normal(counted(4, 3), 1.0), 1).expand((2, 4))
    choice = Categorical(torch.tensor([0.2, 0.8])).expand((3,))
    coin = Bernoulli(0.25).expand([2])
    drawn = [wide.sample(), rows.sample(), choice.sample((4,)), coin.sample()]
    support = [choice.enumerate_support(), coin.enumerate_support()]
    shapes = [rows.event_shape, *(part.shape for part in drawn)]
    return [wide.log_prob(torch.zeros(3)), choice.probs, coin.mode, *support, *(torch.tensor([*s]) for s in shapes)]


def frequencies():
    torch.manual_seed(0)
    drawn = [
        Categorical(torch.tensor([0.1, 0.2, 0.7])).sample((20000,)).float().mean(),
        Bernoulli(torch.tensor(0.3)).sample((20000,)).mean(), Normal(1.0, 2.0).sample((20000,)).mean(),
        D.Exponential(2.0).sample((20000,)).mean(), D.Laplace(0.5, 1.0).sample((20000,)).mean(),
        D.Uniform(1.0, 2.0).sample((20000,)).mean(), D.LogNormal(0.0, 0.25).sample((20000,)).mean(),
    ]
    means = [1.6, 0.3, 1.0, 0.5, 0.5, 1.5, 1.0318]
    return [torch.tensor([float(abs(found - mean) < 0.06) for found, mean in zip(drawn, means)])]


class Squashed(D.TransformedDistribution):
    def __init__(self, loc, scale):
        self.loc = loc
        super().__init__(Normal(loc, scale), [D.TanhTransform(cache_size=1)])

    @property
    def mean(self):
        found = self.loc
        for transform in self.transforms:
            found = transform(found)
        return found


class Doubled(D.Transform):
    domain = D.constraints.real
    codomain = D.constraints.interval(-1e30, 1e30)
    bijective, sign = True, 1

    def __init__(self):
        super().__init__(cache_size=1)

    def _call(self, x):
        return x * 2

    def _inverse(self, y):
        return y / 2

    def log_abs_det_jacobian(self, x, y):
        return torch.full_like(x, 2.0).log()


def squashed():
    loc = (counted(4) * 30).requires_grad_()
    found = Squashed(loc, torch.full((4,), 0.5))
    action = found.rsample()  # some are 1: their logits are only known by the cache
    finite = torch.isfinite(found.log_prob(action)).all()
    (found.mean.sum() + found.log_prob(torch.full((4,), 0.25)).sum() / 1000).backward()
    fallen = D.TransformedDistribution(Normal(counted(3), 1.0), [D.AffineTransform(0.5, -2.0), D.ExpTransform()])
    both = D.ComposeTransform([Doubled(), D.SigmoidTransform()])
    x = counted(3)
    return [
        finite, loc.grad, fallen.cdf(x.exp()), fallen.log_prob(x.exp()), both(x), both.inv(both(x)),
        both.log_abs_det_jacobian(x, both(x)), D.TransformedDistribution(Normal(x, 1.0), Doubled()).log_prob(x),
    ]


@D.register_kl(Normal, D.Laplace)
def of_mine(p, q):
    return p.loc * 0 + 7


def divergences():
    p, q = Normal(counted(3), 1.0), Normal(torch.zeros(3), 2.0)
    rows = kl_divergence(Independent(p, 1), Independent(q, 1))
    return [kl_divergence(p, q), rows, kl_divergence(p, D.Laplace(0.0, 1.0))]


def error(make):
    try:
        make()
    except (ValueError, NotImplementedError) as found:
        return type(found).__name__
    return "none"


def errors():
    unchecked = error(lambda: Normal(0.0, -1.0, validate_args=False))
    told = [
        error(lambda: Normal(0.0, -1.0)), error(lambda: Categorical(torch.tensor([0.5, -0.5, 1.0]))),
        error(lambda: Categorical(logits=torch.tensor([float("nan"), 1.0]))), error(lambda: Bernoulli(1.5)),
        error(lambda: Bernoulli()), error(lambda: Bernoulli(0.5).log_prob(torch.tensor(0.5))),
        error(lambda: Categorical(torch.ones(3)).log_prob(torch.tensor(3))),
        error(lambda: Normal(0.0, 1.0).log_prob(1.0)), error(lambda: Bernoulli(0.5).rsample()),
        error(lambda: kl_divergence(Normal(0.0, 1.0), Bernoulli(0.5))),
        error(lambda: Independent(Normal(0.0, 1.0), 1)), unchecked,
    ]
    Distribution.set_default_validate_args(False)
    told.append(error(lambda: Normal(0.0, -1.0)))
    names = ["none", "ValueError", "NotImplementedError"]
    return [torch.tensor([names.index(name) for name in told])]


CASES = [discrete, continuous, reparametrized, expanded, squashed, frequencies, divergences, errors]
print(json.dumps({case.__name__: [part.numpy().tolist() for part in case()] for case in CASES}))
"""


def test_policies_act_and_learn_as_in_torch(check_printed: Callable[[str], dict[str, list[float]]]) -> None:
    assert set(check_printed(SCRIPT)["frequencies"]) == {1.0}
