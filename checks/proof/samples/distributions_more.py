"""Distributions that are written by their formulas: densities, moments, distribution functions, divergences."""

import torch


def pareto(a0: "0.5<=float32[3]<2", a1: "2.5<=float32[3]<4", a2_: "2<=float32[4,3]<5"):
    found = torch.distributions.Pareto(a0, a1)
    moments = (found.mean, found.variance, found.mode, found.entropy())
    values = torch.tensor([0.2, 0.5, 0.9])
    return found.log_prob(a2_), moments, found.cdf(a2_), found.icdf(values), found.sample((2,)).shape


def pareto_divergence(a0: "1<=float32[3]<2", a1: "0.5<=float32[3]<1"):
    p, q = torch.distributions.Pareto(a0, a0), torch.distributions.Pareto(a1, a1)
    half = torch.distributions.HalfNormal(a0), torch.distributions.HalfNormal(a1)
    return torch.distributions.kl_divergence(p, q), torch.distributions.kl_divergence(*half)


def weibull(a0: "0.5<=float32[3]<2", a1: "1.5<=float32[3]<3", a2_: "0.1<=float32[4,3]<3"):
    found = torch.distributions.Weibull(a0, a1)
    moments = (found.mean, found.variance, found.mode, found.stddev, found.entropy())
    values = torch.tensor([0.2, 0.5, 0.9])
    return found.log_prob(a2_), moments, found.cdf(a2_), found.icdf(values), found.rsample().shape


def half_cauchy(a0: "0.5<=float32[3]<2", a1_: "0<=float32[4,3]<3"):
    found = torch.distributions.HalfCauchy(a0)
    values = torch.tensor([0.2, 0.5, 0.9])
    return found.log_prob(a1_), found.entropy(), found.mean, found.cdf(a1_), found.icdf(values)


def kumaraswamy(a0: "1.5<=float32[3]<3", a1: "1.5<=float32[3]<3", a2_: "0.1<=float32[4,3]<0.9"):
    found = torch.distributions.Kumaraswamy(a0, a1)
    return found.log_prob(a2_), found.entropy(), found.mean, found.variance, found.cdf(a2_)


def generalized_pareto(a0: "-1<=float32[3]<0", a1: "1<=float32[3]<2", a2_: "0.1<=float32[4,3]<1"):
    found = torch.distributions.GeneralizedPareto(a0, a1, torch.tensor([0.0, 0.2, 0.6]))
    values = torch.tensor([0.2, 0.5, 0.9])
    return found.log_prob(a2_), found.entropy(), found.mean, found.variance, found.cdf(a2_), found.icdf(values)


def inverse_gamma(a0: "2.5<=float32[3]<4", a1: "0.5<=float32[3]<2", a2_: "0.1<=float32[4,3]<3"):
    found = torch.distributions.InverseGamma(a0, a1)
    return found.log_prob(a2_), found.entropy(), found.mean, found.variance, found.mode, found.sample((2,)).shape


def inverse_gamma_below(a0_: "1<=float32[3]<3", a1_: "0.5<=float32[4,3]<3"):
    return torch.distributions.InverseGamma(a0_, a0_).cdf(a1_)


def fisher_snedecor(a0: "3<=float32[3]<6", a1: "5<=float32[3]<9", a2_: "0.1<=float32[4,3]<3"):
    found = torch.distributions.FisherSnedecor(a0, a1)
    return found.log_prob(a2_), found.mean, found.variance, found.mode, found.sample().shape


def negative_binomial(a0: "-1<=float32[3]<1", a1: "0.2<=float32[3]<0.8"):
    found = torch.distributions.NegativeBinomial(torch.tensor([1.0, 3.0, 5.0]), logits=a0)
    counts = torch.tensor([0.0, 2.0, 4.0])
    given = torch.distributions.NegativeBinomial(3, a1)
    return found.log_prob(counts), found.mean, found.variance, found.mode, given.log_prob(counts), given.probs


def von_mises(a0: "-1<=float32[3]<1", a1: "0.5<=float32[3]<4", a2_: "-3<=float32[4,3]<3"):
    found = torch.distributions.VonMises(a0, a1)
    return found.log_prob(a2_), found.mean, found.variance, found.sample((5,)).shape


def mixture(a0: "float32[4]", a1: "float32[4]", a2: "0.5<=float32[4]<2", a3_: "float32[6]"):
    shares = torch.distributions.Categorical(logits=a0)
    found = torch.distributions.MixtureSameFamily(shares, torch.distributions.Normal(a1, a2))
    return found.log_prob(a3_), found.mean, found.variance, found.cdf(a3_), found.sample((5,)).shape


def mixture_of_vectors(a0: "float32[3,4]", a1: "float32[3,4,2]", a2: "0.5<=float32[3,4,2]<2", a3_: "float32[3,2]"):
    parts = torch.distributions.Independent(torch.distributions.Normal(a1, a2), 1)
    found = torch.distributions.MixtureSameFamily(torch.distributions.Categorical(logits=a0), parts)
    return found.log_prob(a3_), found.mean, found.variance, found.sample((5,)).shape, found.sample().shape


def relaxed(a0: "float32[3]", a1_: "0.1<=float32[4,3]<0.9"):
    found = torch.distributions.RelaxedBernoulli(torch.tensor(0.7), logits=a0)
    logit = torch.distributions.relaxed_bernoulli.LogitRelaxedBernoulli(torch.tensor(0.7), logits=a0)
    return found.log_prob(a1_), logit.log_prob(a1_), found.rsample().shape, found.probs


def relaxed_choices(a0: "float32[2,3]", a1_: "float32[4,2,3]"):
    found = torch.distributions.RelaxedOneHotCategorical(torch.tensor(0.7), logits=a0)
    shares = torch.softmax(a1_, -1)
    inner = torch.distributions.relaxed_categorical.ExpRelaxedCategorical(torch.tensor(0.7), logits=a0)
    return found.log_prob(shares), inner.log_prob(torch.log(shares)), found.rsample((2,)).shape


def low_rank(a0: "float32[4]", a1: "float32[4,2]", a2: "0.5<=float32[4]<2", a3_: "float32[5,4]"):
    found = torch.distributions.LowRankMultivariateNormal(a0, a1, a2)
    return found.log_prob(a3_), found.entropy(), found.mean, found.variance, found.sample((3,)).shape


def logistic_normal(a0: "float32[2,3]", a1: "0.5<=float32[2,3]<2", a2_: "float32[2,4]"):
    found = torch.distributions.LogisticNormal(a0, a1)
    drawn = found.rsample((2,))
    return found.log_prob(torch.softmax(a2_, -1)), drawn.shape, found.event_shape


def wishart(a0: "3<=float32[2]<5"):
    scale = torch.tensor([[1.0, 0.0], [0.5, 1.5]])
    found = torch.distributions.Wishart(a0, scale_tril=scale)
    value = torch.tensor([[2.0, 0.3], [0.3, 1.0]])
    moments = found.mean, found.variance, found.entropy()
    other = torch.distributions.Wishart(torch.tensor(4.0), torch.tensor([[2.0, 0.5], [0.5, 1.0]]))
    return found.log_prob(value.expand(2, 2, 2)), moments, other.log_prob(value), found.sample((3,)).shape


def samples_of_positives():
    one = torch.ones(400)
    return (
        torch.distributions.Pareto(one, 5 * one).sample(),
        torch.distributions.Weibull(one, 2 * one).sample(),
        torch.distributions.Kumaraswamy(2 * one, 3 * one).sample(),
        torch.distributions.GeneralizedPareto(0 * one, one, 0.1 * one).sample(),
        torch.distributions.InverseGamma(5 * one, one).sample(),
        torch.distributions.FisherSnedecor(6 * one, 9 * one).sample(),
    )


def samples_of_mixed():
    one = torch.ones(400)
    return (
        torch.distributions.NegativeBinomial(5 * one, 0.4 * one).sample(),
        torch.distributions.VonMises(0 * one, 2 * one).sample(),
        torch.distributions.RelaxedBernoulli(torch.tensor(0.7), 0.4 * one).sample(),
    )


def transforms_of_numbers(a0: "float32[4,3]"):
    soft = torch.distributions.SoftplusTransform()
    below = torch.distributions.CumulativeDistributionTransform(
        torch.distributions.Normal(torch.zeros(3), torch.ones(3))
    )
    return (
        soft(a0),
        soft.log_abs_det_jacobian(a0, soft(a0)),
        below(a0),
        below.log_abs_det_jacobian(a0, below(a0)),
    )


def transforms_of_matrices(a0: "float32[2,3,3]"):
    lower = torch.distributions.LowerCholeskyTransform()
    return lower(a0), torch.distributions.PositiveDefiniteTransform()(a0)


def transform_of_correlations(a0: "-1<=float32[4,6]<1"):
    found = torch.distributions.CorrCholeskyTransform()
    lower = found(a0)
    return lower, found.log_abs_det_jacobian(a0, lower)


def transform_of_parts(a0: "float32[4,3]"):
    exp, affine = torch.distributions.ExpTransform(), torch.distributions.AffineTransform(1.0, 2.0)
    found = torch.distributions.CatTransform([exp, affine], dim=1, lengths=[1, 2])
    return found(a0)


def unconstrained(a0: "float32[4,3]"):
    return (
        torch.distributions.transform_to(torch.distributions.constraints.positive)(a0),
        torch.distributions.biject_to(torch.distributions.constraints.unit_interval)(a0),
        torch.distributions.biject_to(torch.distributions.constraints.greater_than(2.0))(a0),
        torch.distributions.transform_to(torch.distributions.constraints.less_than(2.0))(a0),
        torch.distributions.biject_to(torch.distributions.constraints.interval(-1.0, 3.0))(a0),
        torch.distributions.biject_to(torch.distributions.constraints.simplex)(a0),
        torch.distributions.transform_to(torch.distributions.constraints.simplex)(a0),
        torch.distributions.transform_to(torch.distributions.constraints.corr_cholesky)(a0),
        torch.distributions.transform_to(torch.distributions.constraints.real)(a0),
    )


def constrained(a0_: "-2<=float32[4,3]<2"):
    shares = torch.softmax(a0_, -1)
    return (
        torch.distributions.constraints.positive.check(a0_),
        torch.distributions.constraints.nonnegative.check(a0_),
        torch.distributions.constraints.real.check(a0_),
        torch.distributions.constraints.real_vector.check(a0_),
        torch.distributions.constraints.unit_interval.check(a0_),
        torch.distributions.constraints.simplex.check(shares),
        torch.distributions.constraints.simplex.check(a0_),
        torch.distributions.constraints.greater_than(1.0).check(a0_),
        torch.distributions.constraints.greater_than_eq(1.0).check(a0_),
        torch.distributions.constraints.less_than(1.0).check(a0_),
        torch.distributions.constraints.interval(-1.0, 1.0).check(a0_),
        torch.distributions.constraints.half_open_interval(-1.0, 1.0).check(a0_),
    )


def constrained_parts(a0_: "-2<=float32[4,3]<2"):
    return (
        torch.distributions.constraints.independent(torch.distributions.constraints.positive, 1).check(a0_),
        torch.distributions.constraints.stack(
            [
                torch.distributions.constraints.positive,
                torch.distributions.constraints.real,
                torch.distributions.constraints.unit_interval,
            ],
            1,
        ).check(a0_),
        torch.distributions.constraints.cat(
            [torch.distributions.constraints.positive, torch.distributions.constraints.real], 1, [1, 2]
        ).check(a0_),
    )


def constrained_counts(a0_: "int64[4,3]<3"):
    return (
        torch.distributions.constraints.boolean.check(a0_),
        torch.distributions.constraints.nonnegative_integer.check(a0_),
        torch.distributions.constraints.positive_integer.check(a0_),
        torch.distributions.constraints.integer_interval(0, 1).check(a0_),
        torch.distributions.constraints.one_hot.check(a0_),
        torch.distributions.constraints.multinomial(4).check(a0_),
    )


def constrained_matrices(a0_: "float32[4,3,3]"):
    lower = torch.tril(a0_.abs() + 1)
    rows = lower / torch.linalg.norm(lower, dim=-1, keepdim=True)
    square = lower @ lower.transpose(-1, -2)
    return (
        torch.distributions.constraints.square.check(a0_),
        torch.distributions.constraints.symmetric.check(a0_),
        torch.distributions.constraints.symmetric.check(square),
        torch.distributions.constraints.lower_triangular.check(a0_),
        torch.distributions.constraints.lower_cholesky.check(lower),
        torch.distributions.constraints.corr_cholesky.check(rows),
        torch.distributions.constraints.positive_definite.check(square),
        torch.distributions.constraints.positive_semidefinite.check(square),
    )


def triangles(a0: "float32[4,6]"):
    full = torch.distributions.transforms.vec_to_tril_matrix(a0)
    below = torch.distributions.transforms.vec_to_tril_matrix(a0, -1)
    return (
        full,
        below,
        torch.distributions.transforms.tril_matrix_to_vec(full),
        torch.distributions.transforms.tril_matrix_to_vec(below, -1),
    )


def of_probabilities(a0: "0.1<=float32[4]<0.9", a1: "float32[4]"):
    return (
        torch.distributions.utils.probs_to_logits(a0),
        torch.distributions.utils.probs_to_logits(a0, is_binary=True),
        torch.distributions.utils.logits_to_probs(a1),
        torch.distributions.utils.logits_to_probs(a1, is_binary=True),
        torch.distributions.utils.clamp_probs(a0),
    )


def in_one_shape(a0: "float32[4]"):
    return torch.distributions.utils.broadcast_all(a0, 1.0)
