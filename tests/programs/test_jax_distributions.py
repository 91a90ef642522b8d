"""To JAX: distributions of torch's, which JAX has none of."""

from __future__ import annotations

from collections.abc import Callable

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.distributions as D
from torch.distributions import Categorical, Normal, kl_divergence

x = torch.linspace(-2, 2, 12).reshape(4, 3)
"""

DENSITIES = """
a = torch.tensor([0, 2, 1, 1])
for m in (Categorical(torch.softmax(x, 1)), Categorical(logits=x), Categorical(probs=torch.rand(4, 3) * 0 + 0.2)):
    show(m.log_prob(a), m.entropy(), m.probs, m.logits, m.batch_shape, m.perplexity())
    show(m.sample().shape, m.sample((2, 5)).shape, m.sample().dtype == torch.int64, bool((m.sample((50,)) < 3).all()))
show(Categorical(logits=x).log_prob(torch.tensor([[0], [1]])), Categorical(logits=x[0]).sample().shape)
n = Normal(x, torch.exp(x))
show(n.log_prob(x + 0.5), n.entropy(), n.mean, n.stddev, n.variance, n.cdf(x + 0.1), n.icdf(torch.full((4, 3), 0.3)))
show(n.sample((2,)).shape, n.rsample().shape, Normal(0.0, 1.0).log_prob(torch.tensor(0.5)), Normal(0, 1).sample().dtype)
own = D.Independent(n, 1)
show(own.log_prob(x * 0.9), own.entropy(), own.batch_shape, own.event_shape, own.sample().shape)
unit = Normal(x, torch.ones(4, 3))
show(kl_divergence(n, Normal(x + 1, torch.ones(4, 3))), kl_divergence(own, D.Independent(unit, 1)))
show(kl_divergence(Categorical(logits=x), Categorical(logits=x * 2)))
b = D.Bernoulli(torch.sigmoid(x))
show(b.log_prob((x > 0).float()), b.entropy(), D.Bernoulli(logits=x).log_prob((x > 1).float()), b.mean)
show(kl_divergence(b, D.Bernoulli(logits=x + 1)), D.Uniform(-3.0, 3.0).log_prob(x), D.Uniform(x, x + 2).entropy())
show(D.Laplace(x, 2.0).log_prob(x * 2), D.Exponential(torch.exp(x)).log_prob(torch.exp(x)), b.sample((2,)).shape)
show(D.Laplace(x, 2.0).cdf(x * 2), D.Laplace(x, 2.0).icdf(torch.full((4, 3), 0.2)))
cov = torch.tensor([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 1.5]])
v = D.MultivariateNormal(x, cov)
show(v.log_prob(x * 0.5), v.entropy(), v.covariance_matrix, v.variance, v.sample((2,)).shape)
show(D.MultivariateNormal(x[0], scale_tril=torch.diag(torch.tensor([1.0, 2.0, 3.0]))).log_prob(x))
o = D.OneHotCategorical(logits=x)
show(o.log_prob(F.one_hot(a, 3)), o.sample().shape, o.event_shape, isinstance(o, D.Distribution), isinstance(n, Normal))
torch.manual_seed(1)
kept = Normal(0.0, 1.0).sample((3,))
torch.manual_seed(1)
show(torch.equal(kept, Normal(0.0, 1.0).sample((3,))), abs(float(Normal(5.0, 0.1).sample((500,)).mean()) - 5) < 0.1)
"""

TRAINED = """
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.mean = nn.Linear(4, 2)
        self.log_std = nn.Parameter(torch.zeros(2))
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))

    def forward(self, x):
        return self.mean(torch.tanh(self.body(x)))


policy = Policy()
opt = torch.optim.Adam(policy.parameters(), lr=0.01)
actions, rewards = torch.tensor([0, 1, 1, 0]), torch.tensor([1.0, -0.5, 0.3, 2.0])
for step in range(3):
    dist = Categorical(logits=policy(x))
    loss = -(dist.log_prob(actions) * rewards).mean() - 0.01 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
show(loss.item(), [p.detach() for p in policy.parameters()])
for step in range(2):
    dist = Normal(policy(x), policy.log_std.exp())
    ratio = torch.exp(dist.log_prob(torch.ones(4, 2)).sum(-1))
    loss = -torch.min(ratio * rewards, torch.clamp(ratio, 0.8, 1.2) * rewards).mean() - dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
show(loss.item(), [p.detach() for p in policy.parameters()])
saved = []
for i in range(3):
    m = Categorical(F.softmax(policy(x[i : i + 1]), dim=1))
    m.sample()
    saved.append(m.log_prob(torch.tensor([i % 2])))
losses = [-lp * r for lp, r in zip(saved, rewards)]
opt.zero_grad()
loss = torch.cat(losses).sum()
loss.backward()
opt.step()
show(loss.item(), [p.detach() for p in policy.parameters()])
"""


def test_densities_and_samples(agrees: Callable[..., object]) -> None:
    agrees(HEAD + DENSITIES, "jax")


def test_policies_are_trained(agrees: Callable[..., object]) -> None:
    agrees(HEAD + TRAINED, "jax")
