"""Distributions: densities, moments, divergences, and that samples carry no gradient."""

import torch
from torch.distributions import Bernoulli, Categorical, Normal, kl_divergence


def normal(a0: "float32[3]", a1: "0.5<=float32[3]<2", a2_: "float32[4,3]"):
    found = Normal(a0, a1)
    return (
        found.log_prob(a2_),
        found.entropy(),
        found.mean,
        found.stddev,
        found.variance,
        found.cdf(a2_),
        found.batch_shape,
    )


def normal_samples(a0: "float32[3]", a1: "0.5<=float32[3]<2"):
    found = torch.distributions.Normal(a0, a1)
    return (
        found.sample().shape,
        found.rsample().shape,
        found.sample((5,)).shape,
        found.sample(torch.Size([2])).shape,
    )


def normal_of_numbers():
    return torch.distributions.Normal(0.0, 1.0).log_prob(torch.tensor(0.5)), Normal(0.0, 2.0).sample((400,))


def categorical(a0: "float32[4,3]", a1: "int64[4]<3"):
    found = Categorical(logits=a0)
    return (
        found.log_prob(a1),
        found.entropy(),
        found.probs,
        found.logits,
        found.sample().shape,
        found.sample((2,)).shape,
    )


def categorical_of_probabilities(a0: "0.1<=float32[5]<1", a1: "int64[4]<5"):
    found = torch.distributions.Categorical(a0)
    return found.log_prob(a1), found.entropy(), found.probs, found.sample().shape


def categorical_samples():
    return Categorical(torch.tensor([0.2, 0.3, 0.5])).sample((400,))


def bernoulli(a0: "float32[4]", a1_: "0.1<=float32[4]<0.9"):
    found = Bernoulli(logits=a0)
    return (
        found.log_prob(torch.ones(4)),
        found.entropy(),
        found.probs,
        found.mean,
        Bernoulli(a1_).log_prob(torch.zeros(4)),
    )


def divergences(a0: "float32[3]", a1: "0.5<=float32[3]<2"):
    return (
        kl_divergence(Normal(a0, a1), Normal(torch.zeros(3), torch.ones(3))),
        kl_divergence(Categorical(logits=a0), Categorical(logits=a1)),
        kl_divergence(Bernoulli(logits=a0), Bernoulli(logits=a1)),
    )


def uniform(a0_: "float32[3]"):
    found = torch.distributions.Uniform(a0_, a0_ + 2)
    return (
        found.log_prob(a0_ + 1),
        found.entropy(),
        found.mean,
        found.variance,
        found.rsample((2,)).shape,
        found.cdf(a0_ + 1),
    )


def continuous(a0: "0.5<=float32[3]<2", a1: "0.5<=float32[3]<2"):
    return (
        torch.distributions.Beta(a0, a1).log_prob(torch.full((3,), 0.3)),
        torch.distributions.Beta(a0, a1).mean,
        torch.distributions.Gamma(a0, a1).log_prob(a1),
        torch.distributions.Gamma(a0, a1).mean,
        torch.distributions.Exponential(a0).log_prob(a1),
        torch.distributions.Laplace(a0, a1).log_prob(a1),
        torch.distributions.LogNormal(a0, a1).log_prob(a1),
        torch.distributions.StudentT(a0 + 2, a0, a1).log_prob(a1),
        torch.distributions.Gumbel(a0, a1).log_prob(a1),
        torch.distributions.Cauchy(a0, a1).log_prob(a1),
        torch.distributions.Chi2(a0).log_prob(a1),
        torch.distributions.HalfNormal(a0).log_prob(a1),
        torch.distributions.Dirichlet(a0).log_prob(torch.tensor([0.2, 0.3, 0.5])),
    )


def discrete(a0: "0.2<=float32[3]<0.8"):
    return (
        torch.distributions.Poisson(a0).log_prob(torch.tensor([0.0, 1.0, 2.0])),
        torch.distributions.Geometric(a0).log_prob(torch.tensor([0.0, 1.0, 2.0])),
        torch.distributions.Geometric(a0).mean,
        torch.distributions.OneHotCategorical(a0).log_prob(torch.tensor([0.0, 1.0, 0.0])),
        torch.sum(torch.distributions.OneHotCategorical(a0).sample()),
        torch.distributions.Multinomial(3, a0 / a0.sum()).log_prob(torch.tensor([1.0, 1.0, 1.0])),
    )


def many(a0: "float32[4,3]", a1: "0.5<=float32[4,3]<2"):
    found = torch.distributions.Independent(Normal(a0, a1), 1)
    return found.log_prob(torch.zeros(4, 3)), found.entropy(), found.rsample().shape, found.mean


def multivariate(a0: "float32[2]", a1_: "float32[5,2]"):
    covariance = torch.tensor([[2.0, 0.5], [0.5, 1.0]])
    found = torch.distributions.MultivariateNormal(a0, covariance)
    return found.log_prob(a1_), found.entropy(), found.sample((3,)).shape


def transformed(a0: "float32[3]", a1: "0.5<=float32[3]<2"):
    squashed = torch.distributions.TransformedDistribution(Normal(a0, a1), [torch.distributions.TanhTransform()])
    moved = torch.distributions.TransformedDistribution(Normal(a0, a1), torch.distributions.AffineTransform(1.0, 2.0))
    return squashed.log_prob(torch.full((3,), 0.3)), moved.log_prob(torch.full((3,), 0.3)), squashed.rsample().shape


def transforms(a0: "float32[3]"):
    return (
        torch.distributions.ExpTransform()(a0),
        torch.distributions.SigmoidTransform()(a0),
        torch.distributions.AffineTransform(1.0, 2.0)(a0),
    )


def policy_gradient(a0_: "float32[4,3]"):
    a0_.requires_grad_()
    found = Normal(a0_, torch.ones(4, 3))
    action = found.sample()
    loss = (found.log_prob(action) * 0 + a0_).sum() + action.sum()
    loss.backward()
    return a0_.grad
