"""Distributions: densities, moments, divergences, and that samples carry no gradient."""

import torch


def normal(a0: "float32[3]", a1: "0.5<=float32[3]<2", a2_: "float32[4,3]"):
    found = torch.distributions.Normal(a0, a1)
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
    return torch.distributions.Normal(0.0, 1.0).log_prob(torch.tensor(0.5)), torch.distributions.Normal(
        0.0, 2.0
    ).sample((400,))


def categorical(a0: "float32[4,3]", a1: "int64[4]<3"):
    found = torch.distributions.Categorical(logits=a0)
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
    return torch.distributions.Categorical(torch.tensor([0.2, 0.3, 0.5])).sample((400,))


def bernoulli(a0: "float32[4]", a1_: "0.1<=float32[4]<0.9"):
    found = torch.distributions.Bernoulli(logits=a0)
    return (
        found.log_prob(torch.ones(4)),
        found.entropy(),
        found.probs,
        found.mean + 1,
        torch.distributions.Bernoulli(a1_).log_prob(torch.zeros(4)),
    )


def divergences(a0: "float32[3]", a1: "0.5<=float32[3]<2"):
    return (
        torch.distributions.kl_divergence(
            torch.distributions.Normal(a0, a1), torch.distributions.Normal(torch.zeros(3), torch.ones(3))
        ),
        torch.distributions.kl_divergence(
            torch.distributions.Categorical(logits=a0), torch.distributions.Categorical(logits=a1)
        ),
        torch.distributions.kl_divergence(
            torch.distributions.Bernoulli(logits=a0), torch.distributions.Bernoulli(logits=a1)
        ),
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


def exponential(a0: "0.5<=float32[3]<2", a1: "0.5<=float32[3]<2"):
    found = torch.distributions.Exponential(a0)
    return found.log_prob(a1), found.entropy(), found.mean, found.variance, found.rsample((2,)).shape


def laplace(a0: "0.5<=float32[3]<2", a1: "0.5<=float32[3]<2", a2_: "float32[4,3]"):
    found = torch.distributions.Laplace(a0, a1)
    return found.log_prob(a2_), found.entropy(), found.mean, found.stddev, found.cdf(a2_), found.rsample((2,)).shape


def log_normal(a0: "0.5<=float32[3]<2", a1: "0.5<=float32[3]<1"):
    found = torch.distributions.LogNormal(a0, a1)
    return found.log_prob(a1), found.entropy(), found.mean, found.variance, found.rsample((2,)).shape


def continuous(a0: "0.5<=float32[3]<2", a1: "0.5<=float32[3]<2"):
    return (
        torch.distributions.Beta(a0, a1).log_prob(torch.full((3,), 0.3)),
        torch.distributions.Beta(a0, a1).mean,
        torch.distributions.Gamma(a0, a1).log_prob(a1),
        torch.distributions.Gamma(a0, a1).mean,
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
        torch.distributions.Multinomial(3, a0 / a0.sum()).log_prob(torch.tensor([1.0, 1.0, 1.0])),
    )


def one_hot(a0: "0.2<=float32[3]<0.8", a1_: "0.2<=float32[4,3]<0.8"):
    found = torch.distributions.OneHotCategorical(a0)
    through = torch.distributions.OneHotCategoricalStraightThrough(logits=a0).rsample()
    drawn = torch.distributions.OneHotCategorical(a1_).sample((2,))
    return found.log_prob(torch.tensor([0.0, 1.0, 0.0])), found.entropy(), torch.sum(through), drawn.sum(-1)


def divergences_of_same(a0: "0.5<=float32[3]<1", a1: "0.5<=float32[3]<1"):
    exponential = torch.distributions.Exponential(a0), torch.distributions.Exponential(a1)
    laplace = torch.distributions.Laplace(a0, a1), torch.distributions.Laplace(a1, a0)
    log_normal = torch.distributions.LogNormal(a0, a1), torch.distributions.LogNormal(a1, a0)
    uniform = torch.distributions.Uniform(a0, a1 + 2), torch.distributions.Uniform(a0 - 1, a1 + 4)
    return (
        torch.distributions.kl_divergence(*exponential),
        torch.distributions.kl_divergence(*laplace),
        torch.distributions.kl_divergence(*log_normal),
        torch.distributions.kl_divergence(*uniform),
    )


def many(a0: "float32[4,3]", a1: "0.5<=float32[4,3]<2"):
    found = torch.distributions.Independent(torch.distributions.Normal(a0, a1), 1)
    return found.log_prob(torch.zeros(4, 3)), found.entropy(), found.rsample().shape, found.mean


def multivariate(a0: "float32[2]", a1_: "float32[5,2]"):
    covariance = torch.tensor([[2.0, 0.5], [0.5, 1.0]])
    found = torch.distributions.MultivariateNormal(a0, covariance)
    return found.log_prob(a1_), found.entropy(), found.sample((3,)).shape


def transformed(a0: "float32[3]", a1: "0.5<=float32[3]<2"):
    squashed = torch.distributions.TransformedDistribution(
        torch.distributions.Normal(a0, a1), [torch.distributions.TanhTransform()]
    )
    moved = torch.distributions.TransformedDistribution(
        torch.distributions.Normal(a0, a1), torch.distributions.AffineTransform(1.0, 2.0)
    )
    return squashed.log_prob(torch.full((3,), 0.3)), moved.log_prob(torch.full((3,), 0.3)), squashed.rsample().shape


def transforms(a0: "float32[3]"):
    return (
        torch.distributions.ExpTransform()(a0),
        torch.distributions.SigmoidTransform()(a0),
        torch.distributions.AffineTransform(1.0, 2.0)(a0),
    )


def policy_gradient(a0_: "float32[4,3]"):
    a0_.requires_grad_()
    found = torch.distributions.Normal(a0_, torch.ones(4, 3))
    action = found.sample()
    loss = (found.log_prob(action) * 0 + a0_).sum() + action.sum()
    loss.backward()
    return a0_.grad


def transforms_composed(a0: "0.1<=float32[3]<0.9"):
    both = [torch.distributions.AffineTransform(0.5, 2.0), torch.distributions.SigmoidTransform()]
    found = torch.distributions.ComposeTransform(both)
    return found(a0), found.log_abs_det_jacobian(a0, found(a0))


def transformed_back(a0: "float32[3]", a1: "0.5<=float32[3]<2", a2_: "0.1<=float32[4,3]<0.9"):
    affine = torch.distributions.AffineTransform(a0, -2.0)
    exp = torch.distributions.ExpTransform()
    found = torch.distributions.TransformedDistribution(torch.distributions.Normal(a0, a1), [affine, exp])
    return found.log_prob(a2_), found.sample((2,)).shape
